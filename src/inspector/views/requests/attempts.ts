import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';
import { hasFailed } from '../../parts/calls.js';
import type { Tone } from '../../parts/marks.js';

/** True if the request did what it asks for, whatever its client heard of it. */
export const tookEffect = ({ verdict, method, status }: JournalEntry): boolean =>
  method !== 'GET' && (verdict === 'fault_after' || (verdict === 'accepted' && status !== undefined && status < 300));

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
