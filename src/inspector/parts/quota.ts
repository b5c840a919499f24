import { useEffect, useMemo } from 'preact/hooks';
import type { SandboxKey } from '../wire/sandbox.js';
import { type Reading, useReading, useSeconds } from './hooks.js';

/** Reads the API keys. Between two readings the page counts the open windows of quotas down. */
export function useKeys(): Reading<readonly SandboxKey[]> {
  const reading = useReading<readonly SandboxKey[]>('keys');
  const { data, again } = reading;
  const readAt = useMemo(() => performance.now(), [data]);
  const ends = data?.flatMap(({ quota }) => quota?.endsInMs ?? []) ?? [];
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
  const counted = ({ quota, ...key }: SandboxKey): SandboxKey => {
    const { endsInMs } = quota ?? {};
    const isOpen = quota !== undefined && endsInMs !== undefined;
    return { ...key, quota: isOpen ? { ...quota, endsInMs: Math.max(0, endsInMs - passedMs) } : quota };
  };
  return { ...reading, data: data.map(counted) };
}
