import * as z from 'zod/mini';
import { badRequest } from '../refusal.js';

const moment = z.iso.datetime({ offset: true });

/** Reads a moment of a query, in ms since the epoch, or throws 400. Undefined if none is given. */
export function momentOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (z.safeParse(moment, text).success) return Date.parse(text);
  throw badRequest({ field, message: 'must be a moment of ISO 8601, for example 2026-01-15T12:00:00Z' });
}

/** Reads both moments of a query. Throws 400 if the end is before the start. */
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
