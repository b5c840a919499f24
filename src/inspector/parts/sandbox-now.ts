import { useEffect, useRef, useState } from 'preact/hooks';
import type { ClockStatus } from '../../sandbox/drive/clock.js';
import type { Live } from '../wire/live.js';
import { useLiveReading } from './hooks.js';

const TICK_MS = 1_000;

/** The sandbox's time in ms since the epoch, which goes on each second while its clock runs. */
export function useSandboxNow(live: Live): number | undefined {
  const { data } = useLiveReading<ClockStatus>(live, 'clock', ['clock', 'control'], undefined, TICK_MS);
  const read = useRef(0);
  const [, setTicks] = useState(0);
  useEffect(() => {
    read.current = performance.now();
  }, [data]);
  useEffect(() => {
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  if (data === undefined) return undefined;
  return data.isRunning && read.current > 0 ? data.now + (performance.now() - read.current) : data.now;
}
