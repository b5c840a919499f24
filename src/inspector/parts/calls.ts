import { computed } from '@preact/signals';
import { live } from '../wire/live.js';
import type { JournalEntry } from '../wire/sandbox.js';
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

/** All calls that the page knows, the newest first. */
export const calls = computed((): readonly Call[] => {
  const known = new Map<string, Call>();
  for (const entry of live.entries.value) {
    if (entry.kind !== 'request') continue;
    // Now, a few at a time: the first letter of a search would wait for all of them.
    textOf(entry);
    const attempts: Call['attempts'] = [...(known.get(entry.callId)?.attempts ?? []), entry];
    // The newest attempt puts its call behind all others.
    known.delete(entry.callId);
    known.set(entry.callId, { id: entry.callId, attempts, last: entry });
  }
  return [...known.values()].reverse();
});

/** The call that a request belongs to, by the `seq` of the request. */
export const callWith = (seq: number): Call | undefined =>
  calls.value.find(({ attempts }) => attempts.some((attempt) => attempt.seq === seq));
