import { useCallback, useEffect } from 'preact/hooks';
import type { SandboxHealth } from '../../sandbox/drive/requests/watching.js';
import { CurlSwitch } from '../parts/actions/curl.js';
import { useLive, useReading, useSeconds } from '../parts/hooks.js';
import { useClock } from '../parts/sandbox-now.js';
import { spanOf, timeOf } from '../parts/values/format.js';
import { BASE, call } from '../wire/api.js';
import type { Live } from '../wire/live.js';
import { BooksBadge, DeliveryBadge, FaultBadge } from './badges.js';
import { ClockMenu } from './clock-bar.js';
import { Menu } from './menu.js';
import { RatesBadge } from './rates.js';
import { Reset } from './reset.js';
import { SetUpCopies } from './set-up.js';
import { type KeyedView, Shortcuts } from './shortcuts.js';

interface TopProps {
  readonly live: Live;
  readonly views: readonly KeyedView[];
}

/** The top of every view, in one row: the clock, what goes wrong, the sandbox, the connection. */
export function Top({ live, views }: TopProps) {
  const { clock, now, machineAheadMs } = useClock();
  const { again } = clock;
  const { data: health } = useReading<SandboxHealth>('health');
  const toNext = useCallback(() => {
    // If nothing is planned, then nothing happens.
    call('clock/next').then(again, again);
  }, [again]);
  const place = `seed ${health?.seed ?? '…'}`;
  return (
    <header class="top">
      <h1>Partner sandbox</h1>
      <ClockMenu clock={clock} now={now} />
      <div class="health">
        <FaultBadge />
        <DeliveryBadge />
        <BooksBadge />
        <RatesBadge live={live} machineAheadMs={machineAheadMs} />
      </div>
      <span class="soft place" title={location.origin + BASE}>
        {place}
      </span>
      <Menu label="Sandbox" title="Sandbox">
        <p class="soft">
          {place} · {location.origin}
        </p>
        <details class="fold" name="sandbox">
          <summary>Copy set-up</summary>
          <SetUpCopies />
        </details>
        <CurlSwitch />
        <Reset onDone={again} />
      </Menu>
      <Connection live={live} />
      <Shortcuts views={views} onNextTimer={toNext} />
    </header>
  );
}

const STATES = { connecting: 'connecting …', open: 'live', lost: 'lost' } as const;

/** A lost connection dims the page: what it shows may be old. */
function Connection({ live }: { readonly live: Live }) {
  useLive(live);
  const { connection, lostAt } = live;
  const isLost = connection === 'lost';
  useEffect(() => {
    document.documentElement.classList.toggle('is-lost', isLost);
  }, [isLost]);
  useSeconds(isLost);
  return (
    <>
      <span role="status" class={`connection connection-${connection}`}>
        <span class={connection === 'open' ? 'long' : ''}>{STATES[connection]}</span>
      </span>
      {isLost && lostAt !== undefined && (
        <p class="lost" role="alert">
          No connection since {timeOf(lostAt).slice(0, 8)} UTC, for {spanOf(Math.max(1_000, Date.now() - lostAt))}. Is
          the sandbox running?
        </p>
      )}
    </>
  );
}
