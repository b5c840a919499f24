import { ownMember } from '../util/members.js';

/** Values of a header are separated by commas. The comma after the day of a date is part of it. */
const BETWEEN_VALUES = /(?<!\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*),/;

/** The beginning of an HTTP date or an ISO date. `Date.parse()` takes "1.5" and "2026", too. */
const DATE = /^((Mon|Tue|Wed|Thu|Fri|Sat|Sun)|\d{4}-\d\d-\d\dT)/;

/** A response's `Date` that is farther from our clock is not believed. */
const MAX_CLOCK_DIFFERENCE_MS = 86_400_000;

/**
 * Returns the wait that `Retry-After` asks for, in ms. It has seconds or an HTTP date
 * (RFC 9110 §10.2.3). Services also send fractions of a second, which are rounded up, and several
 * values, of which the largest counts. Undefined if there is none that can be read.
 *
 * @param now The time of this computer's clock, for a response without a usable `Date`.
 */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = ownMember(headers, 'retry-after');
  if (value === undefined) return undefined;
  const waits = value.split(BETWEEN_VALUES).map((text) => waitOf(text.trim(), () => serviceTime(headers, now)));
  const readable = waits.filter((wait) => wait !== undefined);
  return readable.length === 0 ? undefined : Math.min(Math.max(...readable), Number.MAX_SAFE_INTEGER);
}

function waitOf(text: string, now: () => number): number | undefined {
  if (/^\d+(\.\d*)?$/.test(text)) return Math.ceil(Number(text)) * 1000;
  const date = dateOf(text);
  return date === undefined ? undefined : Math.max(0, date - now());
}

/** Returns the time of the service's clock, by which its date in `Retry-After` is meant. */
function serviceTime(headers: Readonly<Record<string, string>>, now: number): number {
  const date = dateOf(ownMember(headers, 'date') ?? '');
  return date !== undefined && Math.abs(date - now) <= MAX_CLOCK_DIFFERENCE_MS ? date : now;
}

function dateOf(text: string): number | undefined {
  if (!DATE.test(text)) return undefined;
  // asctime, the one form of an HTTP date that does not name its zone, is in UTC as well.
  const date = Date.parse(/(GMT|UTC|Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : date;
}
