import { useState } from 'preact/hooks';
import type { ClockStatus } from '../../../sandbox/drive/clock.js';
import type { AgendaEntry } from '../../../sandbox/drive/look/agenda.js';
import { Action } from '../../parts/actions/action.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { Panel, ReadingState } from '../../parts/panel.js';
import { spanOf } from '../../parts/values/format.js';
import { Agenda } from './agenda.js';

/** The sandbox's clock, and all that is to come by it. */
export function Time() {
  const reading = useReading<ClockStatus>('clock');
  const { data: clock, again } = reading;
  const [reached, setReached] = useState<AgendaEntry>();
  return (
    <>
      <Panel
        title="Clock"
        hint="Everything in the sandbox happens by this clock. Only a reset or a restore puts it back."
      >
        <ReadingState reading={reading} />
        {clock !== undefined && (
          <>
            <p>
              {clock.isRunning ? 'The clock runs in real time.' : 'The clock is stopped until you move it.'}{' '}
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
                label="Move to the next timer"
                method="clock/next"
                onDone={(answer) => {
                  setReached((answer ?? undefined) as AgendaEntry | undefined);
                  again();
                }}
              />
              <Action
                label={clock.isRunning ? 'Stop the clock' : 'Start the clock'}
                method={clock.isRunning ? 'clock/stop' : 'clock/start'}
                onDone={again}
              />
            </p>
            {reached !== undefined && <p role="status">Reached: {reached.what}</p>}
          </>
        )}
      </Panel>
      <Agenda />
      {clock !== undefined && (
        <Panel title="Move the clock" hint="Everything that becomes due on the way happens, in order.">
          <Moves now={clock.now} onDone={again} />
        </Panel>
      )}
    </>
  );
}

interface MovesProps {
  readonly now: number;
  onDone(): void;
}

function Moves({ now, onDone }: MovesProps) {
  return (
    <>
      <MethodForm label="Move the clock on" method="clock/advance" begin={{ ms: 600_000 }} onDone={onDone} />
      <MethodForm
        label="Set the clock"
        method="clock/set"
        begin={{ time: new Date(now + 3_600_000).toISOString().slice(0, 19).concat('Z') }}
        onDone={onDone}
      />
    </>
  );
}
