import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TimelineEntry } from '../../sandbox/drive/timeline/entries.js';
import { read } from '../wire/api.js';
import type { Live } from '../wire/live.js';

/** Draws the component again when something has happened in the sandbox. */
export function useLive(live: Live): void {
  const [, setCount] = useState(0);
  // At once: what happens between the drawing and an effect after it would not be drawn.
  useLayoutEffect(() => live.listen(() => setCount((count) => count + 1)), [live]);
}

export interface Reading<T> {
  readonly data: T | undefined;
  readonly problem: string | undefined;
  /** Reads it again now. */
  readonly again: () => void;
}

/** Reads a path of the control plane, and again each `everyMs` while the page is seen. */
export function useReading<T>(path: string | undefined, everyMs?: number): Reading<T> {
  const [data, setData] = useState<T>();
  const [problem, setProblem] = useState<string>();
  const [count, setCount] = useState(0);
  const again = useCallback(() => setCount((before) => before + 1), []);
  const isUnderWay = useRef(false);
  const newest = useRef(0);
  const wanted = useRef(path);
  wanted.current = path;
  useEffect(() => {
    if (path === undefined) return;
    isUnderWay.current = true;
    // An answer counts until that of a later request is there: on a busy machine there is always a
    // later request.
    const isNews = (): boolean => {
      if (wanted.current !== path || count < newest.current) return false;
      newest.current = count;
      isUnderWay.current = false;
      return true;
    };
    read<T>(path).then(
      (found) => {
        if (!isNews()) return;
        setData(() => found);
        setProblem(undefined);
      },
      (error: Error) => {
        if (isNews()) setProblem(error.message);
      },
    );
  }, [path, count]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      // A slow answer is waited for: another request would put it off.
      if (document.visibilityState === 'visible' && !isUnderWay.current) again();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, again]);
  return { data, problem, again };
}

/** Time in ms between two readings of what has changed; a busy service changes all the time. */
const REREAD_MS = 500;

/**
 * Reads a path of the control plane, and again when an entry of these kinds has come, or everything
 * may be other than it was. At most once in `restMs`. `everyMs` is for what also
 * changes without an entry.
 */
export function useLiveReading<T>(
  live: Live,
  path: string | undefined,
  kinds: readonly TimelineEntry['kind'][],
  restMs = REREAD_MS,
  everyMs?: number,
): Reading<T> {
  const reading = useReading<T>(path, everyMs);
  const { again } = reading;
  const wanted = kinds.join();
  useEffect(() => {
    let last = live.entries.at(-1)?.seq ?? 0;
    let { era } = live;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readAt = Number.NEGATIVE_INFINITY;
    const stop = live.listen(() => {
      const isWanted = live.era !== era || hasNewer(live.entries, last, wanted.split(','));
      last = live.entries.at(-1)?.seq ?? 0;
      era = live.era;
      if (!isWanted) return;
      timer ??= setTimeout(
        () => {
          timer = undefined;
          readAt = performance.now();
          again();
        },
        Math.max(0, readAt + restMs - performance.now()),
      );
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [live, wanted, restMs, again]);
  return reading;
}

/** True if an entry of one of these kinds follows the place. The newest stand last. */
function hasNewer(entries: readonly TimelineEntry[], place: number, kinds: readonly string[]): boolean {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined || entry.seq <= place) return false;
    if (kinds.includes(entry.kind)) return true;
  }
  return false;
}

/** Runs an action of the reader, and tells how it ended. */
export function useAction(): {
  readonly said: string | undefined;
  run(action: () => Promise<unknown>, done: string): void;
} {
  const [said, setSaid] = useState<string>();
  const run = useCallback((action: () => Promise<unknown>, done: string) => {
    setSaid(undefined);
    action().then(
      () => setSaid(done),
      (error: Error) => setSaid(error.message),
    );
  }, []);
  return { said, run };
}
