import { useState } from 'preact/hooks';
import type { ClockStatus } from '../../../sandbox/drive/clock.js';
import type { AgendaEntry } from '../../../sandbox/drive/look/agenda.js';
import { Action } from '../../parts/actions/action.js';
import { Told } from '../../parts/actions/told.js';
import { OptionsForm } from '../../parts/forms/options-form.js';
import { useLiveReading } from '../../parts/hooks.js';
import { Panel } from '../../parts/panel.js';
import { spanOf } from '../../parts/values/format.js';
import type { ViewProps } from '../../parts/view-props.js';
import { Agenda } from './agenda.js';

/** Entries after which the clock or what comes next is another. */
const CHANGING = ['clock', 'control', 'timer', 'change', 'delivery', 'fault', 'request'] as const;

/** The sandbox's clock, and all that is to come by it. */
export function Time({ live }: ViewProps) {
  const reading = useLiveReading<ClockStatus>(live, 'clock', CHANGING);
  const { data: clock, again } = reading;
  const [reached, setReached] = useState<AgendaEntry>();
  return (
    <>
      <Panel
        title="Clock"
        hint="Everything in the sandbox happens by the clock at the top of the page. It never goes back."
      >
        <Told reading={reading} />
        {clock !== undefined && (
          <>
            <p>
              The clock {clock.isRunning ? 'runs with the machine’s clock' : 'stands still until it is moved'}.{' '}
              {clock.next === undefined ? (
                'Nothing is planned.'
              ) : (
                <>
                  <strong>Next, in {spanOf(Math.max(0, clock.next.at - clock.now))}:</strong> {clock.next.what}
                </>
              )}
            </p>
            <p class="actions">
              <Action
                label="To the next timer"
                method="clock/next"
                onDone={(answer) => {
                  setReached((answer ?? undefined) as AgendaEntry | undefined);
                  again();
                }}
              />
              <Action
                label={clock.isRunning ? 'Stand still' : 'Let it run'}
                method={clock.isRunning ? 'clock/stop' : 'clock/start'}
                onDone={again}
              />
            </p>
            {reached !== undefined && <p role="status">Reached: {reached.what}</p>}
          </>
        )}
      </Panel>
      <Agenda live={live} />
      {clock !== undefined && (
        <Panel title="Move the clock" hint="All that becomes due on the way happens, in its order.">
          <Moves now={clock.now} onDone={again} />
        </Panel>
      )}
    </>
  );
}

const UNITS = [
  ['60000', 'minutes'],
  ['1000', 'seconds'],
  ['3600000', 'hours'],
  ['86400000', 'days'],
  ['1', 'milliseconds'],
] as const;

interface MovesProps {
  readonly now: number;
  onDone(): void;
}

function Moves({ now, onDone }: MovesProps) {
  return (
    <>
      <OptionsForm
        label="Move the clock on"
        method="clock/advance"
        onDone={onDone}
        begin={{ span: '10' }}
        fields={() => [
          { name: 'span', label: 'By', kind: 'number' },
          { name: 'unit', label: 'Unit', kind: 'number', choices: UNITS },
          {
            name: 'deliver',
            label: 'Deliver on its way',
            hint: 'Goes from timer to timer, and waits for the answers to the webhooks of each moment.',
            kind: 'flag',
          },
        ]}
        argsOf={({ span, unit, deliver }) => [
          Number(span) * Number(unit),
          ...(deliver === undefined ? [] : [{ deliver }]),
        ]}
      />
      <OptionsForm
        label="Set the clock"
        method="clock/set"
        onDone={onDone}
        begin={{ time: new Date(now + 3_600_000).toISOString().slice(0, 19).concat('Z') }}
        fields={() => [{ name: 'time', label: 'To the moment', hint: 'In UTC. It cannot go back.' }]}
        argsOf={({ time }) => [time]}
      />
    </>
  );
}
