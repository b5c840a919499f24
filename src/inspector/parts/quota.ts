import { useEffect, useState } from 'preact/hooks';
import type { QuotaLevel } from '../../sandbox/trouble/settings/quota.js';
import { type Reading, useReading } from './hooks.js';

const TICK_MS = 1_000;

/** Reads the quotas of the API keys. Between two readings the page counts the open windows down. */
export function useQuota(): Reading<QuotaLevel> {
  const reading = useReading<QuotaLevel>('quota');
  const { data, again } = reading;
  const [counted, setCounted] = useState({ data, ms: 0 });
  const ends = data?.keys.flatMap(({ endsInMs }) => endsInMs ?? []) ?? [];
  const nextMs = Math.min(...ends);
  useEffect(() => {
    if (nextMs === Number.POSITIVE_INFINITY) return undefined;
    const read = performance.now();
    // A window ends without an event.
    const end = setTimeout(again, nextMs);
    const tick = setInterval(() => setCounted({ data, ms: performance.now() - read }), TICK_MS);
    return () => {
      clearTimeout(end);
      clearInterval(tick);
    };
  }, [data, nextMs, again]);
  if (data === undefined || counted.data !== data) return reading;
  const keys = data.keys.map(({ endsInMs, ...level }) => ({
    ...level,
    endsInMs: endsInMs && Math.max(0, endsInMs - counted.ms),
  }));
  return { ...reading, data: { ...data, keys } };
}
