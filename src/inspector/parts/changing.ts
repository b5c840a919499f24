import { useEffect } from 'preact/hooks';
import type { Live } from '../wire/live.js';
import { useLiveReading } from './hooks.js';

/** What may change a resource. */
export const CHANGING = ['request', 'change', 'posting', 'timer', 'control', 'clock'] as const;

const LOOK_MS = 1_000;

/** The sandbox's time, which goes on. */
export function useNow(live: Live): number | undefined {
  const { data, again } = useLiveReading<number>(live, 'clock/now', ['timer', 'control', 'clock']);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [again]);
  return data;
}
