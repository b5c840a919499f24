import { type Call, endOf, toneOfAttempt } from '../../../parts/calls.js';
import { wordsOf, worstOf } from '../../../parts/entries/deliveries.js';
import { isBook } from '../../../parts/links/holder.js';
import type { StoryStep, Tone } from '../../../parts/marks.js';
import { negated, sumOf } from '../../../parts/values/amounts.js';
import { momentOf, spanOf } from '../../../parts/values/times.js';
import { counted, titled } from '../../../parts/values/words.js';
import type { DeliveryEntry, JournalEntry, PostingEntry } from '../../../wire/sandbox.js';
import type { Effects } from './effects.js';

/** A step as text: the page draws it, and Markdown says it. */
export interface Step extends Pick<StoryStep, 'tone' | 'when' | 'exact'> {
  readonly what: string;
  readonly more: string;
  /** Where it leads. */
  readonly seq: number;
}

/** More steps are folded, so that the story is seen at once. */
const MOST_STEPS = 8;

/** Attempts beyond these are one step. */
const MOST_ATTEMPTS = 3;

/** What happened: the attempts, states, money moved, and webhooks. */
export function storyOf(call: Call, effects: Effects, holders: ReadonlyMap<string, string>): Step[] {
  const began = call.attempts[0].at;
  const place = (at: number): Pick<Step, 'when' | 'exact'> => ({
    when: at === began ? '0 ms' : `+${spanOf(at - began)}`,
    exact: momentOf(at),
  });
  const steps = [...attemptSteps(call.attempts), ...effectSteps(effects, holders), ...deliverySteps(effects.deliveries)]
    .sort((one, other) => one.at - other.at || one.seq - other.seq)
    .map((step) => ({ ...step, ...place(step.at) }));
  if (steps.length <= MOST_STEPS) return steps;
  const [head, tail] = [steps.slice(0, 4), steps.slice(-3)];
  const between = steps.slice(4, -3);
  const first = between[0];
  if (first === undefined) return steps;
  const more = `${first.what} … ${between.at(-1)?.what}`;
  return [...head, { ...first, tone: 'plain', what: `${between.length} more steps`, more }, ...tail];
}

type Placed = Omit<Step, 'when' | 'exact'> & { readonly at: number };

function attemptSteps(attempts: readonly JournalEntry[]): Placed[] {
  const steps = attempts.map((one, index): Placed => {
    const { seq, at } = one;
    return { seq, at, tone: toneOfAttempt(one), what: `Attempt ${index + 1}`, more: endOf(one) };
  });
  if (steps.length <= MOST_ATTEMPTS + 1) return steps;
  const folded = attempts.slice(1, -1);
  const ends = [...new Set(folded.map(endOf))];
  const [first, second, last] = [steps[0], steps[1], steps.at(-1)];
  if (first === undefined || second === undefined || last === undefined) return steps;
  return [first, { ...second, what: `Attempts 2 to ${steps.length - 1}`, more: ends.join('; ') }, last];
}

/** States that nobody wants. */
const BAD = /fail|reject|expired|blocked|cancel/;

/** Changes and postings of one cause are one step. */
function effectSteps({ changes, postings }: Effects, holders: ReadonlyMap<string, string>): Placed[] {
  const steps = new Map<number, Placed>();
  for (const { cause, seq, at, resource, to, from } of changes) {
    const key = cause ?? seq;
    const before = steps.get(key);
    const state = from === undefined && to === 'new' ? 'made' : to.replaceAll('_', ' ');
    const what = `${before === undefined ? '' : `${before.what}, `}${titled(resource, before === undefined)} ${state}`;
    const tone: Tone = BAD.test(to) ? 'bad' : 'good';
    steps.set(key, { seq: before?.seq ?? seq, at, tone, what, more: '' });
  }
  const byCause = new Map<number, PostingEntry[]>();
  for (const one of postings) {
    const key = one.cause ?? one.seq;
    byCause.set(key, [...(byCause.get(key) ?? []), one]);
  }
  for (const [key, moved] of byCause) {
    const [{ seq, at } = { seq: key, at: 0 }] = moved;
    const step = steps.get(key) ?? { seq, at, tone: 'good' as const, what: 'Money moved', more: '' };
    steps.set(key, { ...step, more: movedText(moved, holders) });
  }
  return [...steps.values()];
}

/** For example `−0.00214449 BTC from customer-1000 main`. */
function movedText(postings: readonly PostingEntry[], holders: ReadonlyMap<string, string>): string {
  const sums = new Map<string, string>();
  const add = (account: string, asset: string, amount: string): void => {
    if (isBook(account)) return;
    const key = `${account} ${asset}`;
    sums.set(key, sumOf([sums.get(key) ?? '0', amount]));
  };
  for (const { from, to, asset, amount } of postings) {
    add(from, asset, negated(amount));
    add(to, asset, amount);
  }
  return [...sums]
    .filter(([, sum]) => sum !== '0')
    .map(([key, sum]) => {
      const [account = '', asset = ''] = key.split(' ');
      const isOut = sum.startsWith('-');
      const symbol = asset.replace(/^\w+:/, '');
      return `${isOut ? `−${sum.slice(1)}` : `+${sum}`} ${symbol} ${isOut ? 'from' : 'to'} ${holders.get(account) ?? account}`;
    })
    .join(', ');
}

/** All webhooks of the call are one step, at the time of the newest. */
function deliverySteps(deliveries: readonly DeliveryEntry[]): Placed[] {
  const last = deliveries.at(-1);
  if (last === undefined) return [];
  const newest = new Map(deliveries.map(({ delivery, attempt }) => [delivery.id, { ...delivery, last: attempt }]));
  const all = [...newest.values()];
  return [{ seq: last.seq, at: last.at, tone: worstOf(all), what: counted(all.length, 'webhook'), more: wordsOf(all) }];
}
