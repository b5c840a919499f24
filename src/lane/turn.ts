/**
 * The place of an attempt in its lane's queue:
 *
 * - `queued`: at the end.
 * - `head`: before all `queued` ones. The service did not begin the call's last attempt.
 * - `repeat`: the same, and the requests behind it are held for a moment. The last attempt was
 *   overtaken.
 * - `exclusive`: the same, and nothing starts until it ends. The call was overtaken several times.
 */
export type Turn = 'queued' | 'head' | 'repeat' | 'exclusive';

/** Retries after a race while others may follow. The next retry is exclusive, and the last. */
const MAX_SHARED_RETRIES = 3;

/**
 * Returns the place of the retry of an overtaken attempt. Undefined: no retry follows. Nothing can
 * overtake an exclusive attempt, so its refusal is the service's answer.
 *
 * @param turn The place of the refused attempt.
 * @param races Attempts of the call that were overtaken, this one included.
 */
export function turnAfterRace(turn: Turn, races: number): Turn | undefined {
  if (turn === 'exclusive') return undefined;
  return races > MAX_SHARED_RETRIES ? 'exclusive' : 'repeat';
}
