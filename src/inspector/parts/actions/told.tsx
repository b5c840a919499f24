import type { Reading } from '../hooks.js';

/** Says that a reading is on its way, or why the sandbox refused it. Nothing once it is there. */
export function Told({ reading: { data, problem } }: { readonly reading: Reading<unknown> }) {
  if (problem !== undefined) return <p class="note">{problem}</p>;
  return data === undefined ? <p class="empty">Reading …</p> : null;
}
