import { useEffect, useMemo } from 'preact/hooks';
import type { QuotaLevel } from '../../sandbox/trouble/settings/quota.js';
import { type Reading, useReading, useSeconds } from './hooks.js';

/** Reads the quotas of the API keys. Between two readings the page counts the open windows down. */
export function useQuota(): Reading<QuotaLevel> {
  const reading = useReading<QuotaLevel>('quota');
  const { data, again } = reading;
  const readAt = useMemo(() => performance.now(), [data]);
  const ends = data?.keys.flatMap(({ endsInMs }) => endsInMs ?? []) ?? [];
  const nextMs = Math.min(...ends);
  useEffect(() => {
    if (nextMs === Number.POSITIVE_INFINITY) return undefined;
    // A window ends without an event.
    const end = setTimeout(again, nextMs);
    return () => clearTimeout(end);
  }, [data, nextMs, again]);
  useSeconds(ends.length > 0);
  if (data === undefined) return reading;
  const passedMs = performance.now() - readAt;
  const keys = data.keys.map(({ endsInMs, ...level }) => ({
    ...level,
    endsInMs: endsInMs && Math.max(0, endsInMs - passedMs),
  }));
  return { ...reading, data: { ...data, keys } };
}
