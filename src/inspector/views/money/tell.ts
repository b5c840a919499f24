import type { PostingEntry } from '../../../sandbox/core/timeline/entries.js';
import { causeText } from '../../parts/entries/cause.js';
import { csvOf } from '../../parts/values/csv.js';
import { negated, sumOf } from '../../parts/values/decimal.js';
import type { live as one } from '../../wire/live.js';

/** A line of the story: the balance at its beginning, a change, or what has come of it. */
export interface Line {
  readonly seq: number;
  readonly at?: number;
  readonly what?: string;
  readonly posting?: PostingEntry;
  /** With its sign. */
  readonly change?: string;
  readonly balance: string;
}

/** A balance from its beginning to now. */
interface Told {
  /** The balance before the oldest posting, or the present one if there is none. */
  readonly first: string;
  /** Number of the postings before the newest. */
  readonly hidden: number;
  /** The balance before the newest postings. */
  readonly before: string;
  /** The newest postings. */
  readonly lines: readonly Line[];
  /** The balance after all. */
  readonly end: string;
}

/**
 * Adds up all postings, and each of the newest. The sums are not taken over: a story that is wrong
 * must show.
 */
export function tell(account: string, postings: readonly PostingEntry[], total: string, most: number): Told {
  const changeOf = ({ from, amount }: PostingEntry): string => (from === account ? `-${amount}` : `+${amount}`);
  const [oldest] = postings;
  const first =
    oldest === undefined
      ? total
      : sumOf([oldest.from === account ? oldest.fromBalance : oldest.toBalance, negated(changeOf(oldest))]);
  const hidden = Math.max(0, postings.length - most);
  const before = sumOf([first, ...postings.slice(0, hidden).map(changeOf)]);
  let balance = before;
  const lines = postings.slice(hidden).map((posting): Line => {
    const change = changeOf(posting);
    balance = sumOf([balance, change]);
    return { seq: posting.seq, at: posting.at, posting, change, balance };
  });
  return { first, hidden, before, lines, end: balance };
}

export const csvOfStory = (live: typeof one, { first, lines }: Told): string =>
  csvOf([
    ['seq', 'time', 'change', 'balance', 'from', 'to', 'reference', 'cause'],
    ...[{ seq: 0, balance: first }, ...lines].map(({ seq, at, change = '', balance, posting }: Line) => [
      ...[String(seq), at === undefined ? '' : new Date(at).toISOString(), change.replace('+', ''), balance],
      ...[posting?.from ?? '', posting?.to ?? '', posting?.reference ?? ''],
      posting === undefined ? '' : causeText(posting.cause),
    ]),
  ]);
