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

const WEEK_MS = 7 * DAY_MS;
const HOUR_MS = DAY_MS / 24;
const MINUTE_MS = HOUR_MS / 60;
const SECOND_MS = 1_000;

/** The parts of an ISO 8601 duration, in their order. */
const DURATION =
  /^P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;
/** A duration in the form of a date and a time. */
const DATED_DURATION = /^P(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)$/;

/**
 * Parses an ISO 8601 duration and returns ms. Undefined for years or months, whose length varies.
 */
export function durationOf(text: string): number | undefined {
  const [, years = 0, months = 0, days = 0, ...time] = DATED_DURATION.exec(text) ?? [];
  const parts = time.length > 0 ? [years, months, 0, days, ...time] : DURATION.exec(text.replace(',', '.'))?.slice(1);
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, week = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
    Number(part ?? 0),
  );
  if (year > 0 || month > 0) return undefined;
  const ms = week * WEEK_MS + day * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
  return Number.isNaN(ms) ? undefined : ms;
}
