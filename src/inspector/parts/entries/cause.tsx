import { hrefOf } from '../../wire/address.js';
import { live } from '../../wire/live.js';
import { entryAt } from './find.js';
import { summaryOf } from './summary.js';

/** The id of what moved money, with the way to it if its kind is known. */
export function Reference({ id }: { readonly id: string }) {
  const known = live.entries.value.find((one) => one.kind === 'change' && one.id === id);
  const short = id.slice(0, 8);
  if (known?.kind !== 'change') return <span title={id}>{short}</span>;
  return (
    <a href={hrefOf('resources', known.resource, id)} title={id}>
      {known.resource} {short}
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
