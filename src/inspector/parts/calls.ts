import { computed } from '@preact/signals';
import { live } from '../wire/live.js';
import type { JournalEntry, TimelineEntry } from '../wire/sandbox.js';
import type { Tone } from './marks.js';
import { textOf } from './search.js';

/** A request and its repeats, which the journal knows to be one call. */
export interface Call {
  readonly id: string;
  /** Oldest first, at least one. */
  readonly attempts: readonly [JournalEntry, ...JournalEntry[]];
  /** The newest attempt, by which the call is listed. */
  readonly last: JournalEntry;
}

/** A request as a call without repeats. */
export const callOf = (entry: JournalEntry): Call => ({ id: entry.callId, attempts: [entry], last: entry });

/** True for a request that was rejected, failed, or got no response. */
export const hasFailed = ({ status }: { readonly status: number | undefined }): boolean =>
  status === undefined || status >= 400;

/** True if the request did what it asks for, whatever its client heard of it. */
export const tookEffect = ({ verdict, isReplay, method, status }: JournalEntry): boolean =>
  method !== 'GET' &&
  isReplay !== true &&
  (verdict === 'fault_after' || (verdict === 'accepted' && status !== undefined && status < 300));

/** How many of the attempts took effect. */
export const effectsIn = (attempts: readonly JournalEntry[]): number => attempts.filter(tookEffect).length;

/** A lost race of nonces is repaired by the client: grey. A remembered response is worth a look. */
export function toneOfAttempt(one: JournalEntry): Tone {
  const { verdict, status } = one;
  if (verdict === 'nonce_not_rising') return 'plain';
  if (verdict === 'replayed') return 'info';
  if (status === undefined || status >= 500) return 'bad';
  return hasFailed(one) ? 'warn' : 'good';
}

/** How an attempt ended, in a few words. */
export function endOf(one: JournalEntry): string {
  const { status, verdict, isReplay, reason } = one;
  const heard = status === undefined ? 'no response' : String(status);
  if (verdict === 'fault_after') {
    const did = tookEffect(one) ? 'took effect' : isReplay === true ? 'replayed' : 'read';
    return status === undefined ? `${did}, response lost` : `${did}, but said ${status}`;
  }
  if (verdict === 'fault_before') return `${heard}, no effect`;
  if (verdict === 'replayed') return `${heard}, replayed`;
  if (hasFailed(one)) return `${heard}, ${reason ?? verdict.replaceAll('_', ' ')}`;
  return tookEffect(one) ? `${heard}, took effect` : heard;
}

/** The calls among the entries. It looks at each entry once, until older ones have gone. */
class CallBook {
  readonly #byId = new Map<string, Call>();
  #first = 0;
  #last = 0;

  /** Returns the calls, the newest first. */
  read(entries: readonly TimelineEntry[]): readonly Call[] {
    const first = entries[0]?.seq ?? 0;
    const last = entries.at(-1)?.seq ?? 0;
    if (first !== this.#first || last < this.#last) {
      this.#byId.clear();
      this.#last = 0;
    }
    let from = entries.length;
    while (from > 0 && (entries[from - 1]?.seq ?? 0) > this.#last) from -= 1;
    for (const entry of entries.slice(from)) if (entry.kind === 'request') this.#add(entry);
    this.#first = first;
    this.#last = last;
    return [...this.#byId.values()].reverse();
  }

  /** The newest attempt puts its call behind all others. */
  #add(entry: JournalEntry): void {
    // Now, a few at a time: the first letter of a search would wait for all of them.
    textOf(entry);
    const known = this.#byId.get(entry.callId);
    this.#byId.delete(entry.callId);
    const attempts: Call['attempts'] = known === undefined ? [entry] : [...known.attempts, entry];
    this.#byId.set(entry.callId, { id: entry.callId, attempts, last: entry });
  }
}

const book = new CallBook();

/** All calls that the page knows, the newest first. */
export const calls = computed(() => book.read(live.entries.value));

/** The call that a request belongs to, by the `seq` of the request. */
export const callWith = (seq: number): Call | undefined =>
  calls.value.find(({ attempts }) => attempts.some((attempt) => attempt.seq === seq));
