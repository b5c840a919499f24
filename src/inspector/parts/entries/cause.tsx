import { hrefOf } from '../../wire/address.js';
import { live } from '../../wire/live.js';
import type { TimelineEntry } from '../../wire/sandbox.js';
import { entryAt } from './find.js';
import { summaryOf } from './summary.js';

const kinds = new WeakMap<readonly TimelineEntry[], ReadonlyMap<string, string>>();

/** Returns the kind of the resource with this id, if a change of it is known. */
function kindOf(entries: readonly TimelineEntry[], id: string): string | undefined {
  let known = kinds.get(entries);
  if (known === undefined) {
    known = new Map(entries.flatMap((one) => (one.kind === 'change' ? [[one.id, one.resource] as const] : [])));
    kinds.set(entries, known);
  }
  return known.get(id);
}

/** The id of what moved money, with the way to it if its kind is known. */
export function Reference({ id }: { readonly id: string }) {
  const kind = kindOf(live.entries.value, id);
  const short = id.slice(0, 8);
  return kind === undefined ? (
    <span title={id}>{short}</span>
  ) : (
    <a href={hrefOf('resources', kind, id)} title={id}>
      {kind} {short}
    </a>
  );
}

/**
 * A call of the controls over HTTP has an entry. One from the program that made the sandbox has
 * none.
 */
const NOT_NOTED = 'a call from code';

/** Says in words what an entry is, for example `request accounts.quotes.execute`. */
export function causeText(seq: number | undefined): string {
  if (seq === undefined) return NOT_NOTED;
  const entry = entryAt(live.entries.value, seq);
  return entry === undefined ? `entry ${seq}` : `${entry.kind} ${summaryOf(entry).title}`;
}

/** The cause of something, with its place in the timeline: a request, a timer or a control. */
export function Cause({ seq }: { readonly seq: number | undefined }) {
  return seq === undefined ? NOT_NOTED : <a href={hrefOf('requests', seq)}>{causeText(seq)}</a>;
}
