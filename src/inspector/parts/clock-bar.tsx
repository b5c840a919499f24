import { useEffect } from 'preact/hooks';
import { call } from '../wire/api.js';
import type { Live } from '../wire/live.js';
import { momentOf } from './format.js';
import { useAction, useReading } from './hooks.js';

/** What the sandbox tells of its clock. */
interface ClockState {
  /** In ms since the epoch. */
  readonly now: number;
  readonly isRunning: boolean;
}

const STEPS = [
  ['+1 s', 1_000],
  ['+30 s', 30_000],
  ['+5 min', 300_000],
  ['+1 h', 3_600_000],
  ['+1 d', 86_400_000],
] as const;

const LOOK_MS = 1_000;

/** The sandbox's time, and the buttons that move it. */
export function ClockBar({ live }: { readonly live: Live }) {
  const { data: clock, again } = useReading<ClockState>('clock', LOOK_MS);
  const { said, run } = useAction();
  useEffect(() => live.listen(again), [live, again]);
  const move = (path: string, ...args: number[]) => run(() => call(path, ...args).then(again), '');
  return (
    <fieldset class="clock">
      <legend class="hidden">The sandbox's clock</legend>
      <time>{clock === undefined ? '…' : momentOf(clock.now)}</time>
      {STEPS.map(([label, ms]) => (
        <button type="button" key={label} onClick={() => move('clock/advance', ms)}>
          {label}
        </button>
      ))}
      <button type="button" onClick={() => move('clock/next')}>
        next timer
      </button>
      <button type="button" onClick={() => move(clock?.isRunning === true ? 'clock/stop' : 'clock/start')}>
        {clock?.isRunning === true ? 'stop' : 'run'}
      </button>
      <span role="status">{said}</span>
    </fieldset>
  );
}
