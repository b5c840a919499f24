import { type Call, effectsIn, hasFailed, tookEffect } from '../../../parts/calls.js';
import { verdictOf } from '../../../parts/entries/verdict.js';
import type { Tone } from '../../../parts/marks.js';
import { counted } from '../../../parts/values/words.js';
import type { JournalEntry } from '../../../wire/sandbox.js';

/** How a call ended: the answer to what its caller wants to know, and the reason. */
export interface CallVerdict {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
}

/** In words, as far as the sentence is about none or one. */
const effectsOf = (count: number): string => ['no effect', 'one effect'][count] ?? counted(count, 'effect');

export function verdictOfCall({ attempts, last }: Call): CallVerdict {
  const effects = effectsIn(attempts);
  const isWrite = last.method !== 'GET';
  if (effects > 1) return doubled(attempts, effects);
  if (hasFailed(last)) return failed(attempts, last);
  if (!isWrite) {
    const title =
      attempts.length === 1 ? 'Read at the first attempt.' : `${counted(attempts.length, 'attempt')}, then a response.`;
    return { tone: 'good', title, text: repairOf(attempts) || verdictOf(last) };
  }
  if (attempts.length === 1) {
    const title = last.verdict === 'replayed' ? 'Nothing happened a second time.' : '1 attempt, one effect.';
    return { tone: 'good', title, text: verdictOf(last) };
  }
  const title = `${counted(attempts.length, 'attempt')}, ${effectsOf(effects)}. Nothing was doubled.`;
  return { tone: 'good', title, text: repairOf(attempts) };
}

function doubled(attempts: readonly JournalEntry[], effects: number): CallVerdict {
  const hasKey = attempts.every(({ key }) => key !== undefined);
  return {
    tone: 'bad',
    title: `${counted(attempts.length, 'attempt')}, ${effectsOf(effects)}. It happened more than once.`,
    text: hasKey
      ? 'The idempotency key was not known any more when the request came again.'
      : 'The attempts had no idempotency key, so each was a request of its own.',
  };
}

/** True if the caller did not learn of the effect by this response. */
const isLost = (one: JournalEntry): boolean => one.verdict === 'fault_after' && tookEffect(one);

function failed(attempts: readonly JournalEntry[], last: JournalEntry): CallVerdict {
  // Else the caller knows of the effect: a later request was rejected for another reason.
  if (attempts.some(isLost)) {
    const heard = last.status === undefined ? 'no response arrived' : `the response said ${last.status}`;
    const next =
      last.key === undefined
        ? 'It has no idempotency key: look for the effect before you send it again.'
        : 'Send it again with the same idempotency key: you get the first response.';
    return { tone: 'bad', title: `It took effect, but ${heard}.`, text: `${verdictOf(last)} ${next}` };
  }
  if (last.verdict === 'fault_after') {
    const title = last.status === undefined ? 'The response was lost.' : `The response said ${last.status}.`;
    return { tone: 'bad', title, text: `${verdictOf(last)} Send it again.` };
  }
  const { likely, reason, status, verdict } = last;
  const isFault = verdict.startsWith('fault');
  const why = isFault ? `${last.fault} came before the effect` : (likely ?? reason ?? verdict.replaceAll('_', ' '));
  const head =
    attempts.length === 1 || effectsIn(attempts) > 0 ? 'Rejected' : `${counted(attempts.length, 'attempt')}, no effect`;
  return {
    tone: status === undefined || status >= 500 ? 'bad' : 'warn',
    title: isFault && attempts.length === 1 ? `No effect: ${why}.` : `${head}: ${why}.`,
    text: verdictOf(last),
  };
}

/** What the repeats made good, in a sentence or two; empty for one attempt. */
function repairOf(attempts: readonly JournalEntry[]): string {
  const before = attempts.slice(0, -1);
  const lost = before.find(isLost);
  if (lost !== undefined) {
    return `The first response was lost (${lost.faultId}, ${lost.fault}). The retry had the same idempotency key and got the first response again.`;
  }
  const races = before.filter(({ verdict }) => verdict === 'nonce_not_rising').length;
  if (races > 0)
    return 'A later nonce came first; the client sent the request again with a new one, which repaired it.';
  const failures = before.filter(hasFailed);
  if (failures.length > 0 && !before.some(tookEffect)) {
    const statuses = [...new Set(failures.map(({ status }) => status ?? 'no response'))].join(', ');
    return `Nothing had happened before the last attempt (${statuses}), so a retry was safe.`;
  }
  return before.length === 0 ? '' : 'The later requests had the same idempotency key and got the first response again.';
}
