/** The longest delay of a timer, in milliseconds: a longer one would fire at once. */
export const MAX_TIMER = 2_147_483_647;

/** What is wrong with one option; undefined when nothing is. No value is ever in the message. */
export type Rule = (value: unknown) => string | undefined;

export function rule(valid: (value: unknown) => boolean, message: string): Rule {
  return (value) => (valid(value) ? undefined : message);
}

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
