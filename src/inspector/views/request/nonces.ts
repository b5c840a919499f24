import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import type { JournalEntry } from '../../../sandbox/service/journal/journal.js';

/** Requests with these verdicts use up no nonce. */
const UNUSED: ReadonlySet<string> = new Set([
  ...['missing_header', 'unknown_key', 'malformed_nonce', 'bad_signature', 'nonce_not_rising', 'revoked_key'],
  ...['fault_before', 'broken_body'],
]);

/** Returns the request whose nonce was the last one of the same API key before this request. */
export function requestBefore(
  entries: readonly TimelineEntry[],
  { seq, apiKey }: JournalEntry,
): JournalEntry | undefined {
  if (apiKey === undefined) return undefined;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined || entry.seq >= seq || entry.kind !== 'request' || entry.apiKey !== apiKey) continue;
    // Requests of the sandbox itself take no nonce away.
    if (entry.nonce !== undefined && entry.isOwn !== true && !UNUSED.has(entry.verdict)) return entry;
  }
  return undefined;
}

/** Digits of a time of our days since 1970, by unit. */
const UNITS: Readonly<Record<number, readonly [unit: string, perMs: bigint]>> = {
  13: ['ms', 1n],
  16: ['µs', 1_000n],
  19: ['ns', 1_000_000n],
};

/** The moment that a nonce seems to name: `2026-01-15 12:00:00.000 UTC, in ns`. */
export function nonceMoment(nonce: string): string | undefined {
  const [unit, perMs] = (/^[1-9]\d+$/.test(nonce) ? UNITS[nonce.length] : undefined) ?? [];
  if (unit === undefined || perMs === undefined) return undefined;
  const moment = new Date(Number(BigInt(nonce) / perMs)).toISOString().replace('T', ' ').replace('Z', ' UTC');
  return `${moment}, in ${unit}`;
}
