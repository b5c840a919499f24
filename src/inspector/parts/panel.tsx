import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Reading } from './hooks.js';

interface PanelProps {
  readonly title: string;
  /** Its purpose, in a sentence. */
  readonly hint?: string;
  readonly children: ComponentChildren;
}

/** A part of a view with its own heading. */
export function Panel({ title, hint, children }: PanelProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** Says that a reading is on its way, or why the sandbox refused it. Nothing once it is there. */
export function ReadingState({ reading: { data, problem } }: { readonly reading: Reading<unknown> }) {
  if (problem !== undefined) return <p class="note">{problem}</p>;
  return data === undefined ? <p class="empty">Reading …</p> : null;
}
