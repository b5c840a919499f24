import type { TimelineEntry } from '../../sandbox/drive/timeline/entries.js';
import { useLive, useSeconds } from '../parts/hooks.js';
import { hrefOf } from '../parts/links/route.js';
import { hasFailed } from '../views/timeline/summary.js';
import type { Live } from '../wire/live.js';

const MINUTE_MS = 60_000;

/** The time over which requests a second are counted. */
const RATE_MS = 5_000;

interface Rates {
  readonly perSecond: number;
  /** Of the last minute. */
  readonly requests: number;
  readonly errors: number;
  readonly unauthorized: number;
}

/** Counts the requests of the last minute. `now` is the machine's time; the newest stand last. */
function ratesOf(entries: readonly TimelineEntry[], now: number): Rates {
  let [recent, requests, errors, unauthorized] = [0, 0, 0, 0];
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined || entry.real < now - MINUTE_MS) break;
    if (entry.kind !== 'request') continue;
    requests += 1;
    if (entry.real >= now - RATE_MS) recent += 1;
    if (hasFailed(entry)) errors += 1;
    if (entry.status === 401) unauthorized += 1;
  }
  return { perSecond: recent / (RATE_MS / 1_000), requests, errors, unauthorized };
}

interface RatesProps {
  readonly live: Live;
  /** Time in ms by which the machine's clock is ahead of that of this browser. */
  readonly machineAheadMs: number;
}

/** The traffic of the last minute. It counts down to nothing while nothing happens. */
export function RatesBadge({ live, machineAheadMs }: RatesProps) {
  useLive(live);
  const { perSecond, requests, errors, unauthorized } = ratesOf(live.entries, Date.now() + machineAheadMs);
  useSeconds(requests > 0);
  const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} requests/s`;
  const share = `${Math.round((errors / requests) * 100)} % errors in 1 min`;
  return (
    <>
      <span class="soft rate" title="Requests a second in the last 5 seconds, and errors in the last minute">
        {requests === 0 ? 'no requests in 1 min' : perSecond === 0 ? share : `${rate} · ${share}`}
      </span>
      {unauthorized > 0 && (
        <a class="badge tone-bad" href={hrefOf('timeline', 'status', 401)}>
          <span class="long">⚠ </span>
          {unauthorized} × 401<span class="long"> in 1 min</span>
        </a>
      )}
    </>
  );
}
