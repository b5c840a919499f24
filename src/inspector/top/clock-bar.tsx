import { useState } from 'preact/hooks';
import type { ClockStatus } from '../../sandbox/drive/clock.js';
import { Copy } from '../parts/actions/copy.js';
import { type Reading, useAction } from '../parts/hooks.js';
import { spanOf } from '../parts/values/format.js';
import { call, curlOf } from '../wire/api.js';
import { completeMoment, readSpan } from './moment.js';

const STEPS = [
  ['+1 s', 1_000],
  ['+30 s', 30_000],
  ['+5 min', 300_000],
  ['+1 h', 3_600_000],
  ['+1 d', 86_400_000],
] as const;

interface ClockProps {
  readonly clock: Reading<ClockStatus>;
}

/** The sandbox's time, how far it is from the machine's, and how it goes on. */
export function ClockFace({ clock: { data } }: ClockProps) {
  if (data === undefined) return <span class="clock-face">…</span>;
  const [day = '', time = ''] = new Date(data.now).toISOString().replace('Z', '').split('T');
  return (
    <span class="clock-face">
      <time dateTime={new Date(data.now).toISOString()}>
        {day} <b>{data.isRunning ? time.slice(0, 8) : time}</b> UTC
      </time>
      <span class="soft">
        {data.isRunning ? 'running' : 'still'} · {offsetOf(data)}
      </span>
      {data.next !== undefined && (
        <span class="soft" title={data.next.what}>
          next in {spanOf(Math.max(0, data.next.at - data.now))}: {data.next.task}
        </span>
      )}
    </span>
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

/** The buttons that move the clock, and what comes next by itself. */
export function ClockButtons({ clock: { data, again } }: ClockProps) {
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
    const span = readSpan(wanted);
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
        next timer
      </button>
      <form onSubmit={submit}>
        <input
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          placeholder="90 s, or 2026-02-01 10:00"
          aria-label="Time span or moment to move the clock to"
          required
        />
        <button type="submit">go</button>
      </form>
      <button type="button" onClick={() => move(data?.isRunning === true ? 'clock/stop' : 'clock/start')}>
        {data?.isRunning === true ? 'stand still' : 'run'}
      </button>
      <Copy label="curl" of="the last move" text={() => curlOf(...last)} />
      <span role="status">{said}</span>
    </fieldset>
  );
}
