import type { Deed } from '../../parts/actions/deed.js';
import { BASE } from '../../wire/api.js';

/** The pages of all worlds have one storage. */
const nameOf = (title: string): string => `${BASE} take back: ${title}`;

/** Keeps what takes a trouble back to what was set before it. It outlives a reload of the page. */
export const keepUndo = (title: string, undo: Deed): void =>
  sessionStorage.setItem(nameOf(title), JSON.stringify(undo));

export const forgetUndo = (title: string): void => sessionStorage.removeItem(nameOf(title));

/** Undefined: the trouble was not shown by this page. */
export function keptUndo(title: string): Deed | undefined {
  const kept = sessionStorage.getItem(nameOf(title));
  return kept === null ? undefined : JSON.parse(kept);
}
