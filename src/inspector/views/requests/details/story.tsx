import { type Call, endOf, toneOfAttempt } from '../../../parts/calls.js';
import { wordsOf, worstOf } from '../../../parts/entries/deliveries.js';
import { entryAt, placeAfter } from '../../../parts/entries/find.js';
import { isBook } from '../../../parts/links/holder.js';
import type { StoryStep } from '../../../parts/marks.js';
import { negated, sumOf } from '../../../parts/values/amounts.js';
import { momentOf, spanOf } from '../../../parts/values/times.js';
import { counted, titled } from '../../../parts/values/words.js';
import type { ChangeEntry, DeliveryEntry, PostingEntry, TimelineEntry } from '../../../wire/sandbox.js';

/** A step as text: the page draws it, and Markdown says it. */
export interface Step extends Pick<StoryStep, 'tone' | 'when' | 'exact'> {
  readonly what: string;
  readonly more: string;
  /** Where it leads. */
  readonly seq: number;
}

type Placed = Omit<Step, 'when' | 'exact'> & { readonly at: number };

type Holders = ReadonlyMap<string, string>;

/** What happened, in at most eight steps: the attempts, states, money moved, and webhooks. */
export function storyOf(call: Call, entries: readonly TimelineEntry[], holders: Holders): Step[] {
  const began = call.attempts[0].at;
  const { own, deliveries } = effectsOf(call, entries);
  const steps = [...attemptSteps(call), ...effectSteps(own, holders), ...deliverySteps(deliveries)];
  steps.sort((one, other) => one.at - other.at || one.seq - other.seq);
  const told = folded(steps, 4, 3, (between) => ({
    tone: 'plain',
    what: `${between.length} more steps`,
    more: `${between[0]?.what} … ${between.at(-1)?.what}`,
  }));
  return told.map(({ at, ...step }) => ({
    ...step,
    when: at === began ? '0 ms' : `+${spanOf(at - began)}`,
    exact: momentOf(at),
  }));
}

/** Makes the steps between the first and the last ones a single one. */
function folded(
  steps: Placed[],
  first: number,
  last: number,
  tell: (between: readonly Placed[]) => Partial<Placed>,
): Placed[] {
  const between = steps.slice(first, -last);
  if (between[0] === undefined || between.length === 1) return steps;
  return [...steps.slice(0, first), { ...between[0], ...tell(between) }, ...steps.slice(-last)];
}

function attemptSteps({ attempts }: Call): Placed[] {
  const steps = attempts.map(
    (one, index): Placed => ({
      ...placeOf(one),
      tone: toneOfAttempt(one),
      what: `Attempt ${index + 1}`,
      more: endOf(one),
    }),
  );
  return folded(steps, 1, 1, (between) => ({
    what: `Attempts 2 to ${between.length + 1}`,
    more: [...new Set(between.map(({ more }) => more))].join('; '),
  }));
}

const placeOf = ({ seq, at }: TimelineEntry) => ({ seq, at });

/** Kinds of resources that stay: half of everything that happens is about them. */
const LASTING: ReadonlySet<string> = new Set(['users', 'accounts', 'assets', 'webhooks', 'limits', 'earn']);

/**
 * Returns what a call brought about, oldest first. It follows the causes, and the resources that
 * the call has made or changed, until another call changes them.
 */
function effectsOf({ attempts }: Call, entries: readonly TimelineEntry[]) {
  const causes = new Set(attempts.map(({ seq }) => seq));
  const ids = new Set<string>();
  const [own, deliveries]: [(ChangeEntry | PostingEntry)[], DeliveryEntry[]] = [[], []];
  const isOwn = ({ cause }: TimelineEntry, id: string | undefined): boolean =>
    (cause !== undefined && causes.has(cause)) || (id !== undefined && ids.has(id));
  for (const entry of entries.slice(placeAfter(entries, attempts[0].seq - 1))) {
    const by = entryAt(entries, entry.cause);
    const isOthers = by?.kind === 'request' && !causes.has(by.seq);
    if (isOthers && entry.kind === 'change') ids.delete(entry.id);
    if (isOthers) continue;
    if (entry.kind === 'timer' && ids.has(entry.id)) causes.add(entry.seq);
    else if (entry.kind === 'posting' && isOwn(entry, entry.reference)) own.push(entry);
    else if (entry.kind === 'delivery' && isOwn(entry, entry.about)) deliveries.push(entry);
    else if (entry.kind === 'change' && isOwn(entry, entry.id)) {
      own.push(entry);
      if (!LASTING.has(entry.resource)) ids.add(entry.id);
    }
  }
  return { own, deliveries };
}

/** States that nobody wants. */
const BAD = /fail|reject|expired|blocked|cancel/;

/** Groups the changes and postings that have the same cause into one step. */
function effectSteps(effects: readonly (ChangeEntry | PostingEntry)[], holders: Holders): Placed[] {
  const causes = new Map<number, (ChangeEntry | PostingEntry)[]>();
  for (const one of effects) {
    const cause = one.cause ?? one.seq;
    causes.set(cause, [...(causes.get(cause) ?? []), one]);
  }
  return [...causes.values()].flatMap((together): Placed | [] => {
    const [first] = together;
    const changes = together.filter((one) => one.kind === 'change');
    if (first === undefined) return [];
    const states = changes.map(({ resource, from, to }, index) => {
      const state = from === undefined && to === 'new' ? 'made' : to.replaceAll('_', ' ');
      return `${titled(resource, index === 0)} ${state}`;
    });
    return {
      ...placeOf(first),
      tone: changes.some(({ to }) => BAD.test(to)) ? 'bad' : 'good',
      what: states.join(', ') || 'Money moved',
      more: movedText(
        together.filter((one) => one.kind === 'posting'),
        holders,
      ),
    };
  });
}

/** For example `−0.00214449 BTC from customer-1000 main`. */
function movedText(postings: readonly PostingEntry[], holders: Holders): string {
  const sums = new Map<string, string>();
  const moved = postings.flatMap(({ from, to, asset, amount }) => [
    [from, asset, negated(amount)] as const,
    [to, asset, amount] as const,
  ]);
  for (const [account, asset, amount] of moved) {
    const place = `${account} ${asset}`;
    if (!isBook(account)) sums.set(place, sumOf([sums.get(place) ?? '0', amount]));
  }
  const texts = [...sums].flatMap(([place, sum]) => {
    const [account = '', asset = ''] = place.split(' ');
    const [sign, way] = sum.startsWith('-') ? ['−', 'from'] : ['+', 'to'];
    const moves = `${sign}${sum.replace('-', '')} ${asset.replace(/^\w+:/, '')} ${way} ${holders.get(account) ?? account}`;
    return sum === '0' ? [] : moves;
  });
  return texts.join(', ');
}

/** All webhooks of the call are one step, at the time of the newest. */
function deliverySteps(deliveries: readonly DeliveryEntry[]): Placed[] {
  const last = deliveries.at(-1);
  if (last === undefined) return [];
  const newest = new Map(deliveries.map(({ delivery, attempt }) => [delivery.id, { ...delivery, last: attempt }]));
  const all = [...newest.values()];
  return [{ ...placeOf(last), tone: worstOf(all), what: counted(all.length, 'webhook'), more: wordsOf(all) }];
}
