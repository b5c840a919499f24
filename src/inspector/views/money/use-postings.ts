import type { PostingEntry } from '../../../sandbox/core/timeline/entries.js';
import { useReading } from '../../parts/hooks.js';
import { read } from '../../wire/api.js';

/** As many as the sandbox keeps. */
const LIMIT_POSTINGS = 10_000;

interface PostingsWanted {
  /** An account or a book; all if it is empty. */
  readonly account: string;
  /** For example `crypto:BTC`; all if it is empty. */
  readonly asset: string;
}

interface Postings {
  /** Oldest first. Undefined until they are read. */
  readonly postings: readonly PostingEntry[] | undefined;
  /** Number of older ones that the sandbox does not keep any more. */
  readonly gone: number;
  readonly problem: string | undefined;
}

/** Reads the postings that follow the known ones. */
async function readOn(path: string, known: readonly PostingEntry[] = []): Promise<readonly PostingEntry[]> {
  const after = known.at(-1)?.seq ?? 0;
  const found = await read<readonly PostingEntry[]>(`${path}&after=${after}`);
  return [...known, ...found].slice(-LIMIT_POSTINGS);
}

/** Postings as they come: what is known already is not read again. */
export function usePostings({ account, asset }: PostingsWanted): Postings {
  const query = new URLSearchParams({ ...(account && { accountId: account }), ...(asset && { asset }) });
  const path = `postings?${query}`;
  const { data, problem, of } = useReading(path, readOn);
  const { data: gone = 0 } = useReading<number>('postings/gone');
  return { postings: of === path ? data : undefined, gone, problem };
}
