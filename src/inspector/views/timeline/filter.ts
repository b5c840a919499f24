import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { placeAfter } from './find.js';
import { summaryOf } from './summary.js';

/** Which entries are shown. An empty text wants all. */
export interface Filter {
  /** Words that all stand in the entry. */
  readonly text: string;
  readonly kind: string;
  readonly operation: string;
  readonly verdict: string;
  /** `401`, `4xx`, or `none` for a request without an answer. */
  readonly status: string;
  readonly account: string;
  /** A part of an idempotency key or of an API key. */
  readonly key: string;
}

export const EVERYTHING: Filter = { text: '', kind: '', operation: '', verdict: '', status: '', account: '', key: '' };

type Fits = (entry: TimelineEntry) => boolean;

/** The entries that fit, newest first. It looks at each entry once, until the filter changes. */
export class Sieve {
  #filter: Filter | undefined;
  #fits: Fits = () => true;
  #last = 0;
  #found: TimelineEntry[] = [];

  /** `entries` are those of the last time without the oldest, and newer ones. */
  sift(entries: readonly TimelineEntry[], filter: Filter): readonly TimelineEntry[] {
    const [first, last] = [entries[0]?.seq ?? 0, entries.at(-1)?.seq ?? 0];
    if (filter !== this.#filter || last < this.#last) {
      this.#filter = filter;
      this.#fits = fitting(filter);
      this.#last = 0;
      this.#found = [];
    }
    const fresh: TimelineEntry[] = [];
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (entry === undefined || entry.seq <= this.#last) break;
      if (this.#fits(entry)) fresh.push(entry);
    }
    this.#last = last;
    const before = this.#found;
    let end = before.length;
    while (end > 0 && (before[end - 1]?.seq ?? 0) < first) end -= 1;
    if (fresh.length > 0 || end < before.length) this.#found = [...fresh, ...before.slice(0, end)];
    return this.#found;
  }
}

/** The values that filters can be set to: those that have come so far. */
export class Choices {
  readonly operations = new Set<string>();
  readonly verdicts = new Set<string>();
  readonly accounts = new Set<string>();
  #last = 0;

  notice(entries: readonly TimelineEntry[]): void {
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (entry === undefined || entry.seq <= this.#last) break;
      if (entry.kind !== 'request') continue;
      this.verdicts.add(entry.verdict);
      if (entry.operation !== undefined) this.operations.add(entry.operation);
      if (entry.account !== undefined && this.accounts.size < MAX_ACCOUNTS) this.accounts.add(entry.account);
    }
    this.#last = entries.at(-1)?.seq ?? this.#last;
  }
}

/** More accounts than this are found by the search. */
const MAX_ACCOUNTS = 100;

function fitting({ text, kind, operation, verdict, status, account, key }: Filter): Fits {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const lowerKey = key.trim().toLowerCase();
  const isOfRequests = [operation, verdict, status, lowerKey].some((wanted) => wanted !== '');
  return (entry) => {
    if (kind !== '' && entry.kind !== kind) return false;
    if (account !== '' && !isOf(account, entry)) return false;
    if (isOfRequests) {
      if (entry.kind !== 'request') return false;
      if (operation !== '' && entry.operation !== operation) return false;
      if (verdict !== '' && entry.verdict !== verdict) return false;
      if (status !== '' && !isOfStatus(entry.status, status)) return false;
      if (lowerKey !== '' && !`${entry.key} ${entry.apiKey}`.toLowerCase().includes(lowerKey)) return false;
    }
    return words.length === 0 || words.every((word) => textOf(entry).includes(word));
  };
}

function isOfStatus(status: number | undefined, wanted: string): boolean {
  if (status === undefined) return wanted === 'none';
  return wanted === String(status) || wanted === `${Math.floor(status / 100)}xx`;
}

function isOf(account: string, entry: TimelineEntry): boolean {
  if (entry.kind === 'posting') return entry.from === account || entry.to === account;
  return 'account' in entry && entry.account === account;
}

const texts = new WeakMap<TimelineEntry, string>();

/** The text that a search looks into. Kept: a search runs again with each letter. */
function textOf(entry: TimelineEntry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    const { title, result, detail } = summaryOf(entry);
    text = [entry.seq, entry.kind, title, result, detail, ...moreOf(entry)].join(' ').toLowerCase();
    texts.set(entry, text);
  }
  return text;
}

/** Texts that are prepared at once, in a few ms. */
const PREPARED_AT_ONCE = 1_000;

/** Time in ms between two such steps, in which the page can react. */
const PREPARING_REST_MS = 8;

/**
 * Prepares the texts of a search while the page has nothing else to do: then its first letter is as
 * quick as the next ones. It looks at each entry once.
 */
export class Texts {
  #entries: readonly TimelineEntry[] = [];
  #last = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  notice(entries: readonly TimelineEntry[]): void {
    this.#entries = entries;
    if ((entries.at(-1)?.seq ?? 0) < this.#last) this.#last = 0;
    this.#timer ??= setTimeout(() => this.#prepare(), PREPARING_REST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #prepare(): void {
    this.#timer = undefined;
    const from = placeAfter(this.#entries, this.#last);
    const fresh = this.#entries.slice(from, from + PREPARED_AT_ONCE);
    for (const entry of fresh) textOf(entry);
    this.#last = fresh.at(-1)?.seq ?? this.#last;
    if (from + fresh.length < this.#entries.length) this.notice(this.#entries);
  }
}

function moreOf(entry: TimelineEntry): readonly (string | undefined)[] {
  switch (entry.kind) {
    case 'request':
      return [entry.path, entry.key, entry.apiKey, entry.account, entry.instance, entry.nonce, entry.faultId];
    case 'delivery':
      return [entry.delivery.id, entry.delivery.eventId, entry.delivery.webhookId];
    case 'posting':
      return [entry.reference];
    case 'change':
    case 'timer':
      return [entry.account];
    default:
      return [];
  }
}
