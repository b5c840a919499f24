import * as z from 'zod/mini';
import { DAY_MS } from '../../core/clock/clock.js';
import { badRequest } from '../../core/request/refusal.js';

const moment = z.iso.datetime({ offset: true });

/** Parses a time of a query, in ms since the epoch, or throws 400. Undefined if it is not given. */
export function momentOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (z.safeParse(moment, text).success) return Date.parse(text);
  throw badRequest({ field, message: 'must be a moment of ISO 8601, for example 2026-01-15T12:00:00Z' });
}

/** Reads both times of a query. Throws 400 if the end is before the start. */
export function periodOf(query: {
  readonly start_timestamp?: string | undefined;
  readonly end_timestamp?: string | undefined;
}): { readonly start: number | undefined; readonly end: number | undefined } {
  const start = momentOf('start_timestamp', query.start_timestamp);
  const end = momentOf('end_timestamp', query.end_timestamp);
  if (start !== undefined && end !== undefined && end < start) {
    throw badRequest({ field: 'end_timestamp', message: 'must not be before start_timestamp' });
  }
  return { start, end };
}

/** Weeks, days, hours, minutes and seconds in ms. */
const UNITS_MS = [7 * DAY_MS, DAY_MS, 3_600_000, 60_000, 1_000];

/** The parts of an ISO 8601 duration, in their order. */
const DURATION =
  /^P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;
/** A duration in the form of a date and a time. */
const DATED_DURATION = /^P(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)$/;

/** Returns the ms of an ISO 8601 duration, or undefined for years or months: they vary. */
export function durationOf(text: string): number | undefined {
  const [, years = 0, months = 0, days = 0, ...time] = DATED_DURATION.exec(text) ?? [];
  const parts = time.length > 0 ? [years, months, 0, days, ...time] : DURATION.exec(text.replace(',', '.'))?.slice(1);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, ...rest] = parts.map((part) => Number(part ?? 0));
  if (year > 0 || month > 0) return undefined;
  const ms = UNITS_MS.reduce((sum, unit, index) => sum + unit * (rest[index] ?? 0), 0);
  return Number.isNaN(ms) ? undefined : ms;
}
