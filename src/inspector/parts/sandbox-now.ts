import { useEffect, useState } from 'preact/hooks';
import type { ClockStatus } from '../../sandbox/drive/clock.js';
import { type Reading, useReading } from './hooks.js';

const TICK_MS = 1_000;

/** Reads the clock when something has happened. Between two readings the page counts by itself. */
export function useClock(): { readonly clock: Reading<ClockStatus>; readonly now: number | undefined } {
  const clock = useReading<ClockStatus>('clock');
  const { data, again } = clock;
  const [read, setRead] = useState<{ readonly status: ClockStatus; readonly at: number }>();
  const [, setTicks] = useState(0);
  if (data !== undefined && data !== read?.status) setRead({ status: data, at: performance.now() });
  const isRunning = data?.isRunning === true;
  const due = data?.next?.at;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  const now = data === undefined ? undefined : nowOf(data, read?.status === data ? read.at : performance.now());
  // A step without an entry is due, too: what comes next is another one.
  const isDue = isRunning && now !== undefined && due !== undefined && due <= now;
  useEffect(() => {
    if (isDue) again();
  }, [isDue, due, again]);
  return { clock, now };
}

const nowOf = ({ now, isRunning }: ClockStatus, readAt: number): number =>
  isRunning ? now + (performance.now() - readAt) : now;

/** The sandbox's time in ms since the epoch, which goes on each second while its clock runs. */
export const useSandboxNow = (): number | undefined => useClock().now;
