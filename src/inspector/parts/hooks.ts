import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Reader, store } from '../wire/store.js';

const SECOND_MS = 1_000;

/** Draws the component again each second while `isCounting`. */
export function useSeconds(isCounting: boolean): void {
  const [, setSeconds] = useState(0);
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setSeconds((seconds) => seconds + 1), SECOND_MS);
    return () => clearInterval(timer);
  }, [isCounting]);
}

export interface Reading<T> {
  readonly data: T | undefined;
  /** The path that gave the data. */
  readonly of: string | undefined;
  readonly problem: string | undefined;
  /** Reads it again now. */
  readonly again: () => void;
}

/**
 * Reads a path of the control plane, and again when it may have changed. While another path is
 * read, the data of the last one stays.
 */
export function useReading<T>(path: string | undefined, reader?: Reader<T>): Reading<T> {
  const [, setCount] = useState(0);
  const last = useRef<{ readonly data?: T; readonly of?: string | undefined }>({});
  // At once: another part of the page may end the reading before a later effect.
  useLayoutEffect(
    () => (path === undefined ? undefined : store.show(path, () => setCount((count) => count + 1), reader)),
    [path, reader],
  );
  const shown = path === undefined ? undefined : store.get(path);
  if (shown?.data !== undefined) last.current = { data: shown.data as T, of: path };
  const again = useCallback(() => {
    if (path !== undefined) store.again(path);
  }, [path]);
  const { data, of } = last.current;
  return { data, of, problem: shown?.problem, again };
}

/** Runs an action of the user, and says what it resolves with, or why it failed. */
export function useAction(): {
  readonly said: string | undefined;
  run(action: () => Promise<unknown>): void;
} {
  const [said, setSaid] = useState<string>();
  const run = useCallback((action: () => Promise<unknown>) => {
    setSaid(undefined);
    action().then(
      (text) => setSaid(typeof text === 'string' ? text : undefined),
      (error: Error) => setSaid(error.message),
    );
  }, []);
  return { said, run };
}
