import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Reading } from './hooks.js';
import { focusedRow } from './list.js';

interface SplitProps {
  /** Name of the part at the left. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** What is open. Undefined: nothing is, and the list has all the room. */
  readonly pane: ComponentChildren;
}

/** A list, and beside it what is open of it. A narrow page shows one of the two. */
export function Split({ label, children, pane }: SplitProps) {
  const hasPane = pane !== undefined && pane !== false && pane !== null;
  return (
    <div class={hasPane ? 'split has-pane' : 'split'}>
      <section class="list" aria-label={label}>
        {children}
      </section>
      {hasPane && pane}
    </div>
  );
}

interface PaneProps {
  /** Its name for screen readers, for example `Request 17`. Another name is another pane. */
  readonly label: string;
  readonly title: ComponentChildren;
  /** Where its cross leads: the same view without an open item. */
  readonly closeHref: string;
  readonly children: ComponentChildren;
}

/** The details of one thing. Escape closes them, and the focus is on the row again. */
export function Pane({ label, title, closeHref, children }: PaneProps) {
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (focusedRow.isEntered) pane.current?.focus({ preventScroll: true });
    focusedRow.isEntered = false;
  }, [label]);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    location.hash = closeHref;
    // A narrow page shows the rows again when the pane has gone.
    setTimeout(() => document.querySelector<HTMLElement>('.rows [tabindex="0"]')?.focus());
  };
  return (
    <section class="pane" aria-label={label} ref={pane} tabIndex={-1} onKeyDown={press}>
      <header>
        <h2 class="pane-title">{title}</h2>
        <a class="soft" href={closeHref} aria-label="Close the details">
          ✕
        </a>
      </header>
      {children}
    </section>
  );
}

/** In place of the details of what the sandbox does not have: `Event`. */
export const Missing = ({ what, closeHref }: { readonly what: string; readonly closeHref: string }) => (
  <Pane label={what} title={what} closeHref={closeHref}>
    <p class="empty">The sandbox does not have it, or not any more.</p>
  </Pane>
);

interface PanelProps {
  readonly title: string;
  /** Its purpose, in a sentence. */
  readonly hint?: ComponentChildren;
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
  return data === undefined ? <p class="empty">Loading …</p> : null;
}
