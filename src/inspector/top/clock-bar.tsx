import { useState } from 'preact/hooks';
import type { ClockStatus } from '../../sandbox/drive/clock.js';
import { spanMs } from '../../util/spans.js';
import { Curl } from '../parts/actions/curl.js';
import { type Reading, useAction } from '../parts/hooks.js';
import { spanOf } from '../parts/values/format.js';
import { completeMoment } from '../parts/values/moment.js';
import { call, curlOf } from '../wire/api.js';
import { Menu } from './menu.js';

const STEPS = [
  ['+1 s', 1_000],
  ['+30 s', 30_000],
  ['+5 min', 300_000],
  ['+1 h', 3_600_000],
  ['+1 d', 86_400_000],
] as const;

interface ClockProps {
  readonly clock: Reading<ClockStatus>;
  /** The sandbox's time, which goes on between two readings. */
  readonly now: number | undefined;
}

/** The sandbox's time, and a menu of all that moves it. */
export function ClockMenu({ clock, now }: ClockProps) {
  const { data } = clock;
  if (data === undefined || now === undefined) return <span class="soft">…</span>;
  const iso = new Date(now).toISOString();
  return (
    <Menu
      label="Clock"
      title={
        <>
          <span class="day">{iso.slice(0, 10)} </span>
          <b>{iso.slice(11, 19)}</b> <span class="soft">{data.isRunning ? 'running' : 'stopped'}</span>
        </>
      }
    >
      <ClockFace status={data} now={now} />
      <ClockButtons clock={clock} />
    </Menu>
  );
}

/** The exact time, how far it is from the machine's, and what comes next. */
function ClockFace({ status, now }: { readonly status: ClockStatus; readonly now: number }) {
  const iso = new Date(now).toISOString();
  const [day = '', time = ''] = iso.replace('Z', '').split('T');
  return (
    <div class="clock-face">
      <time dateTime={iso}>
        {day} <b>{status.isRunning ? time.slice(0, 8) : time}</b> UTC
      </time>
      <span class="soft">
        {status.isRunning ? 'running' : 'stopped'} · {offsetOf(status)}
      </span>
      {status.next !== undefined && (
        <span class="soft" title={status.next.what}>
          next in {spanOf(Math.max(0, status.next.at - now))}: {status.next.task}
        </span>
      )}
    </div>
  );
}

/** A method of the clock, with its arguments. */
type Move = [method: string, ...args: (number | string)[]];

/** Below it a difference is that of the way here. */
const SAME_MS = 1_500;

function offsetOf({ aheadMs }: ClockStatus): string {
  if (Math.abs(aheadMs) < SAME_MS) return 'real time';
  return aheadMs > 0 ? `${spanOf(aheadMs)} ahead of real time` : `${spanOf(-aheadMs)} behind real time`;
}

/** The buttons that move the clock. */
function ClockButtons({ clock: { data, again } }: Pick<ClockProps, 'clock'>) {
  const { said, run } = useAction();
  const [text, setText] = useState('');
  const [last, setLast] = useState<Move>(['clock/advance', 60_000]);
  const move = (...next: Move) => {
    setLast(next);
    run(() => call(...next).then(again), '');
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const wanted = text.trim();
    const span = spanMs(wanted);
    if (span === undefined) move('clock/set', completeMoment(wanted));
    else move('clock/advance', span);
  };
  return (
    <fieldset class="clock">
      <legend class="hidden">Move the sandbox's clock</legend>
      {STEPS.map(([label, ms]) => (
        <button type="button" key={label} onClick={() => move('clock/advance', ms)}>
          {label}
        </button>
      ))}
      <button
        type="button"
        disabled={data?.next === undefined}
        title={data?.next?.what ?? 'Nothing is planned'}
        onClick={() => move('clock/next')}
      >
        Next timer
      </button>
      <form onSubmit={submit}>
        <input
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          placeholder="90 s, or 2026-02-01 10:00"
          aria-label="Time span or moment to move the clock to"
          required
        />
        <button type="submit">Move</button>
      </form>
      <button type="button" onClick={() => move(data?.isRunning === true ? 'clock/stop' : 'clock/start')}>
        {data?.isRunning === true ? 'Stop the clock' : 'Start the clock'}
      </button>
      <Curl of="the last move" text={() => curlOf(...last)} />
      <span role="status">{said}</span>
    </fieldset>
  );
}
