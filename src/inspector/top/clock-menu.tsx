import { useState } from 'preact/hooks';
import { spanMs } from '../../util/spans.js';
import { Curl } from '../parts/actions/curl.js';
import { useAction } from '../parts/hooks.js';
import { Menu } from '../parts/menu.js';
import { mayMove } from '../parts/moving.js';
import { useClock } from '../parts/sandbox-now.js';
import { completeMoment, spanOf } from '../parts/values/times.js';
import { call, curlOf } from '../wire/api.js';
import type { ClockStatus } from '../wire/sandbox.js';

const STEPS = [
  ['+1 s', 1_000],
  ['+30 s', 30_000],
  ['+5 min', 300_000],
  ['+1 h', 3_600_000],
  ['+1 d', 86_400_000],
] as const;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The sandbox's time, how far it is from the machine's, and a menu of all that moves it. */
export function ClockMenu() {
  const { clock, now } = useClock();
  const { data, again } = clock;
  if (data === undefined || now === undefined) return <span class="pill">…</span>;
  const title = (
    <>
      <span class="minor">{DAY.format(now)}</span> <b>{new Date(now).toISOString().slice(11, 19)}</b>{' '}
      <span class="minor">{offsetOf(data)}</span>
    </>
  );
  return (
    <Menu label="Clock" title={title} look="pill">
      {() => (
        <>
          <Face status={data} now={now} />
          <Moves clock={data} onMoved={again} />
        </>
      )}
    </Menu>
  );
}

/** Below it a difference is that of the way here. */
const SAME_MS = 1_500;

function offsetOf({ aheadMs, isRunning }: ClockStatus): string {
  if (Math.abs(aheadMs) < SAME_MS) return isRunning ? '' : 'stopped';
  return aheadMs > 0 ? `+${spanOf(aheadMs)}` : spanOf(aheadMs);
}

/** The exact time, if it runs, and what comes next. */
function Face({ status, now }: { readonly status: ClockStatus; readonly now: number }) {
  const iso = new Date(now).toISOString();
  const [day = '', time = ''] = iso.replace('Z', '').split('T');
  const offset = offsetOf(status);
  return (
    <p>
      <time dateTime={iso}>
        {day} <b>{status.isRunning ? time.slice(0, 8) : time}</b> UTC
      </time>
      , {status.isRunning ? 'running' : 'stopped'}
      {offset.length > 1 && offset !== 'stopped' && `, ${offset} from real time`}
      <br />
      <span class="soft">
        {status.next === undefined
          ? 'Nothing is planned.'
          : `Next, in ${spanOf(Math.max(0, status.next.at - now))}: ${status.next.what}`}
      </span>
    </p>
  );
}

/** A method of the clock, with its arguments. */
type Move = [method: string, ...args: (number | string)[]];

interface MovesProps {
  readonly clock: ClockStatus;
  onMoved(): void;
}

/** The buttons that move the clock. */
function Moves({ clock: { next, isRunning }, onMoved }: MovesProps) {
  const { said, run } = useAction();
  const [text, setText] = useState('');
  const [last, setLast] = useState<Move>(['clock/advance', 60_000]);
  const move = (...way: Move): void => {
    setLast(way);
    const [method, to] = way;
    const targetOf = ({ now, next }: ClockStatus) =>
      ({ 'clock/advance': now + Number(to), 'clock/set': Date.parse(String(to)), 'clock/next': next?.at })[method];
    run(async () => {
      if (await mayMove(targetOf)) await call(...way).then(onMoved);
      return '';
    });
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const span = spanMs(text.trim());
    if (span === undefined) move('clock/set', completeMoment(text.trim()));
    else move('clock/advance', span);
  };
  return (
    <fieldset class="actions">
      <legend class="hidden">Move the sandbox's clock</legend>
      {STEPS.map(([label, ms]) => (
        <button type="button" key={label} onClick={() => move('clock/advance', ms)}>
          {label}
        </button>
      ))}
      <button
        type="button"
        disabled={next === undefined}
        title={next?.what ?? 'Nothing is planned'}
        onClick={() => move('clock/next')}
      >
        Next timer
      </button>
      <form class="actions" onSubmit={submit}>
        <input
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          placeholder="90 s, or 2026-02-01 10:00"
          aria-label="Time span or moment to move the clock to"
          required
        />
        <button type="submit">Move</button>
      </form>
      <button type="button" onClick={() => move(isRunning ? 'clock/stop' : 'clock/start')}>
        {isRunning ? 'Stop the clock' : 'Start the clock'}
      </button>
      <Curl of="the last move" text={() => curlOf(...last)} />
      <span role="status">{said}</span>
    </fieldset>
  );
}
