import { useEffect, useMemo } from 'preact/hooks';
import type { ClockStatus } from '../wire/sandbox.js';
import { type Reading, useReading, useSeconds } from './hooks.js';

interface Clock {
  readonly clock: Reading<ClockStatus>;
  /** The sandbox's time in ms since the epoch. Undefined: not read yet. */
  readonly now: number | undefined;
  /** Time in ms by which the machine's clock is ahead of that of this browser. */
  readonly machineAheadMs: number;
}

/** Reads the clock when something has happened. Between two readings the page counts by itself. */
export function useClock(): Clock {
  const clock = useReading<ClockStatus>('clock');
  const { data, again } = clock;
  const readAt = useMemo(() => performance.now(), [data]);
  const machineAheadMs = useMemo(() => (data === undefined ? 0 : data.now - data.aheadMs - Date.now()), [data]);
  const isRunning = data?.isRunning === true;
  const due = data?.next?.at;
  useSeconds(isRunning);
  const now = data === undefined ? undefined : nowOf(data, readAt);
  // A step without an entry is due, too: what comes next is another one.
  const isDue = isRunning && now !== undefined && due !== undefined && due <= now;
  useEffect(() => {
    if (isDue) again();
  }, [isDue, due, again]);
  return { clock, now, machineAheadMs };
}

const nowOf = ({ now, isRunning }: ClockStatus, readAt: number): number =>
  isRunning ? now + (performance.now() - readAt) : now;

/** The sandbox's time in ms since the epoch, which goes on each second while its clock runs. */
export const useSandboxNow = (): number | undefined => useClock().now;
