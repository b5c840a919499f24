/** The longest delay of a timer, in milliseconds: a longer one would fire at once. */
export const MAX_TIMER = 2_147_483_647;

/** The rule of `isMilliseconds`, for messages. */
export const MILLISECONDS: string = `must be milliseconds above 0, at most ${MAX_TIMER}`;

export function isMilliseconds(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= MAX_TIMER;
}

/** A whole number of at least `least`. */
export function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** An object with members, no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
