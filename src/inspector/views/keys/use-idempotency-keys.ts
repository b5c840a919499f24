import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { SandboxIdempotencyKey } from '../../../sandbox/drive/idempotency.js';
import { read } from '../../wire/api.js';
import type { Live } from '../../wire/live.js';

/** Number of keys in one answer: they are read at once, without a task that stalls the page. */
const PAGE_KEYS = 1_000;

const LOOK_MS = 700;

interface IdempotencyReading {
  /** Oldest first. */
  readonly keys: readonly SandboxIdempotencyKey[] | undefined;
  readonly problem: string | undefined;
  /** Reads all of them again. */
  again(): void;
}

/** The keys that are remembered. Of thousands only those that are new are read again. */
export function useIdempotencyKeys(live: Live): IdempotencyReading {
  const [keys, setKeys] = useState<readonly SandboxIdempotencyKey[]>();
  const [problem, setProblem] = useState<string>();
  const known = useRef<readonly SandboxIdempotencyKey[]>([]);
  const again = useCallback(() => {
    known.current = [];
  }, []);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let era = -1;
    let forgotten = 0;
    const look = async (): Promise<void> => {
      const gone = forgettings(live);
      if (live.era !== era || gone !== forgotten || known.current.length < PAGE_KEYS) known.current = [];
      era = live.era;
      forgotten = gone;
      try {
        const all = await extended(known.current);
        if (!isCurrent) return;
        known.current = all;
        setKeys(all);
        setProblem(undefined);
      } catch (error) {
        // The last key that is known may have gone.
        known.current = [];
        if (isCurrent) setProblem((error as Error).message);
      }
      if (isCurrent) timer = setTimeout(look, LOOK_MS);
    };
    void look();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [live]);
  return { keys, problem, again };
}

async function extended(known: readonly SandboxIdempotencyKey[]): Promise<readonly SandboxIdempotencyKey[]> {
  let all = [...known];
  for (;;) {
    const found = await read<SandboxIdempotencyKey[]>('idempotency', { limit: PAGE_KEYS, after: all.at(-1)?.key });
    if (found.length === 0) return all;
    all = all.concat(found);
    if (found.length < PAGE_KEYS) return all;
  }
}

/** Number of times that a key was taken away, as far as the timeline tells. */
const forgettings = ({ entries }: Live): number =>
  entries.filter((entry) => entry.kind === 'control' && entry.method === 'idempotency.forget').length;
