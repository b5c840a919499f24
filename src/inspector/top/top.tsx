import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ClockStatus } from '../../sandbox/drive/clock.js';
import type { SandboxHealth } from '../../sandbox/drive/requests/watching.js';
import { useLive, useLiveReading, useReading } from '../parts/hooks.js';
import { call } from '../wire/api.js';
import type { Live } from '../wire/live.js';
import { BooksBadge, DeliveryBadge, FaultBadge } from './badges.js';
import { Checkpoints } from './checkpoints.js';
import { ClockButtons, ClockFace } from './clock-bar.js';
import { Menu } from './menu.js';
import { RatesBadge } from './rates.js';
import { Reset } from './reset.js';
import { SetUpCopies } from './set-up.js';
import { type KeyedView, Shortcuts } from './shortcuts.js';

/** Time in ms between two looks at the clock. */
const LOOK_MS = 1_000;

interface TopProps {
  readonly live: Live;
  readonly views: readonly KeyedView[];
}

/** The top of every view: the clock, what goes wrong, and what concerns the whole sandbox. */
export function Top({ live, views }: TopProps) {
  const clock = useReading<ClockStatus>('clock', LOOK_MS);
  const { again } = clock;
  const { data: health } = useLiveReading<SandboxHealth>(live, 'health', []);
  const isNarrow = useNarrow();
  const toNext = useCallback(() => {
    // If nothing is planned, then nothing happens.
    call('clock/next').then(again, again);
  }, [again]);
  const tools = (
    <div class="top-row">
      <ClockButtons clock={clock} />
      <div class="tools">
        <Menu title="Copy set-up">
          <SetUpCopies />
        </Menu>
        <Menu title="Checkpoint">
          <Checkpoints live={live} onRestored={again} />
        </Menu>
        <Reset onDone={again} />
      </div>
    </div>
  );
  return (
    <header class="top">
      <div class="top-row">
        <h1>Partner sandbox</h1>
        <ClockFace clock={clock} />
        <Connection live={live} />
        <Shortcuts views={views} onNextTimer={toNext} />
      </div>
      {!isNarrow && tools}
      <div class="top-row">
        <span class="soft">
          seed {health?.seed ?? '…'} · {location.origin}
        </span>
        <RatesBadge live={live} clock={clock.data} />
        <BooksBadge live={live} />
        <FaultBadge live={live} />
        <DeliveryBadge live={live} />
      </div>
      {isNarrow && (
        <details class="more">
          <summary>Clock, set-up, checkpoints, reset</summary>
          {tools}
        </details>
      )}
    </header>
  );
}

const STATES = { connecting: 'connecting …', open: 'live', lost: 'no connection: is the sandbox running?' } as const;

function Connection({ live }: { readonly live: Live }) {
  useLive(live);
  return (
    <span role="status" class={`connection connection-${live.connection}`}>
      {STATES[live.connection]}
    </span>
  );
}

/** Below it the buttons are folded. As in the style sheet. */
const NARROW = '(max-width: 900px)';

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = (): void => setNarrow(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
