import { useEffect, useState } from 'preact/hooks';
import { read } from '../wire/api.js';
import type { JournalEntry, TimelineEntry } from '../wire/sandbox.js';

const texts = new WeakMap<TimelineEntry, string>();

/** The text of an entry that a search looks into. Kept: a search runs again with each letter. */
export function textOf(entry: TimelineEntry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    text = partsOf(entry).join(' ').toLowerCase();
    texts.set(entry, text);
  }
  return text;
}

function partsOf(entry: TimelineEntry): readonly unknown[] {
  const { seq, kind } = entry;
  switch (entry.kind) {
    case 'request': {
      const { method, path, status, verdict, operation, subject, reason, key, apiKey, instance, nonce, faultId } =
        entry;
      return [seq, method, path, status, verdict, operation, subject, reason, key, apiKey, instance, nonce, faultId];
    }
    case 'delivery':
      return [
        seq,
        kind,
        ...Object.values(entry.delivery),
        entry.attempt.status,
        entry.attempt.error,
        entry.attempt.url,
      ];
    case 'control':
      return [seq, kind, entry.method, JSON.stringify(entry.args), entry.problem];
    default:
      return [...Object.values(entry), kind];
  }
}

/** Returns if every word of a text stands in an entry. */
export function finderOf(text: string): (entry: TimelineEntry) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return (entry) => words.every((word) => textOf(entry).includes(word));
}

/** The sandbox is asked once the reader pauses for this many ms. */
const PAUSE_MS = 150;

const NONE: ReadonlySet<number> = new Set();

/**
 * The `seq` of requests in which the sandbox has found the text: it looks into bodies and holders,
 * too, which the page does not have.
 */
export function useFound(text: string): ReadonlySet<number> {
  const [found, setFound] = useState({ text: '', seqs: NONE });
  useEffect(() => {
    if (text.trim() === '') return undefined;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const entries = await read<JournalEntry[]>('journal', { q: text.trim() }).catch(() => []);
      if (isCurrent) setFound({ text, seqs: new Set(entries.map(({ seq }) => seq)) });
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return found.text === text ? found.seqs : NONE;
}
