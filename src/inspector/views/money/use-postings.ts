import { useEffect, useState } from 'preact/hooks';
import type { PostingEntry } from '../../../sandbox/core/timeline/entries.js';
import { useReading } from '../../parts/hooks.js';
import { read } from '../../wire/api.js';
import type { Live } from '../../wire/live.js';

/** As many as the sandbox keeps. */
const LIMIT_POSTINGS = 10_000;

/** Time in ms between two readings. */
const REREAD_MS = 400;

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

/** Postings as they come: what is known already is not read again. */
export function usePostings(live: Live, { account, asset }: PostingsWanted): Postings {
  const [postings, setPostings] = useState<readonly PostingEntry[]>();
  const [problem, setProblem] = useState<string>();
  const { data: gone = 0, again } = useReading<number>('postings/gone');
  useEffect(() => {
    let known: readonly PostingEntry[] = [];
    let { era } = live;
    let [isOver, isReading, isNews] = [false, false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const query = { account: account || undefined, asset: asset || undefined };
    // One reading at a time: a second one on its way would add the same postings again.
    const plan = (): void => {
      isNews = true;
      if (!isReading) timer ??= setTimeout(look, REREAD_MS);
    };
    const look = async (): Promise<void> => {
      timer = undefined;
      [isReading, isNews] = [true, false];
      const of = era;
      try {
        const found = await read<readonly PostingEntry[]>('postings', { ...query, after: known.at(-1)?.seq });
        if (isOver) return;
        if (of === era) {
          known = [...known, ...found].slice(-LIMIT_POSTINGS);
          setPostings(known);
          setProblem(undefined);
          again();
        }
      } catch (error) {
        if (!isOver) setProblem((error as Error).message);
      }
      isReading = false;
      if (isNews && !isOver) plan();
    };
    setPostings(undefined);
    void look();
    let last = live.entries.at(-1)?.seq ?? 0;
    const stop = live.listen(() => {
      const before = last;
      last = live.entries.at(-1)?.seq ?? 0;
      if (live.era !== era) {
        era = live.era;
        known = [];
      } else if (!hasPosting(live, before)) return;
      plan();
    });
    return () => {
      isOver = true;
      stop();
      clearTimeout(timer);
    };
  }, [live, account, asset, again]);
  return { postings, gone, problem };
}

function hasPosting({ entries }: Live, after: number): boolean {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined || entry.seq <= after) return false;
    if (entry.kind === 'posting') return true;
  }
  return false;
}
