/**
 * Where an attempt stands in its lane's queue:
 *
 * - `queued`: at the end.
 * - `head`: before all that are `queued`. The service has not begun with the attempt before it.
 * - `repeat`: the same, and those behind it are held for a moment. The attempt before it was overtaken.
 * - `exclusive`: the same, and nothing starts after it before it is over. The attempts before it were overtaken again and again.
 */
export type Turn = 'queued' | 'head' | 'repeat' | 'exclusive';

/** How often an attempt that was overtaken is repeated while others may follow it. The repeat after that is exclusive, and the last. */
const MAX_SHARED_REPEATS = 3;

/**
 * Where the repeat of an attempt that was overtaken stands; undefined: there is none. With nothing after it the attempt was not
 * overtaken: the refusal is the service's answer.
 *
 * @param turn Of the attempt that was refused.
 * @param races How many attempts of the call were overtaken, this one included.
 */
export function turnAfterRace(turn: Turn, races: number): Turn | undefined {
  if (turn === 'exclusive') return undefined;
  return races > MAX_SHARED_REPEATS ? 'exclusive' : 'repeat';
}
