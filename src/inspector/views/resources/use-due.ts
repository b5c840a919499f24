import { useEffect } from 'preact/hooks';
import type { SandboxResource } from '../../wire/sandbox.js';

/** Reads again once the next step of a resource is due. */
export function useDue(of: readonly SandboxResource[], now: number | undefined, again: () => void): void {
  const isDue = now !== undefined && of.some(({ next }) => next !== undefined && next.at <= now);
  useEffect(() => {
    if (isDue) again();
  }, [isDue, now, again]);
}
