import { useOperations } from '../../parts/operations.js';
import { Panel } from '../../parts/panel.js';
import type { ViewProps } from '../../parts/view-props.js';
import { AddFault } from './add-fault.js';
import { Armed } from './armed.js';
import { Gallery } from './gallery.js';
import { OutcomesAhead } from './outcomes.js';
import { Latency, Quota } from './pace.js';
import { usePresent } from './present.js';
import { Scenarios } from './scenarios.js';

/** Trouble on purpose: what is armed, what can be, and how to take it back. */
export function Faults({ live, id }: ViewProps) {
  const { present, problem, again } = usePresent(live);
  const operations = useOperations();
  return (
    <>
      {problem !== undefined && <p class="note">{problem}</p>}
      {present === undefined ? (
        <p class="empty">Reading …</p>
      ) : (
        <>
          <Armed live={live} present={present} onDone={again} />
          <Gallery present={present} onDone={again} />
          <Panel
            title="Add a fault"
            hint="Requests that fit go wrong as you say. Fill in what you need; the rest stays as by default."
          >
            {operations.length === 0 ? (
              <p class="empty">Reading the operations …</p>
            ) : (
              <AddFault key={id} operations={operations} operation={id} keys={present.keys} onDone={again} />
            )}
          </Panel>
          <Scenarios scenarios={present.scenarios} onDone={again} />
          <OutcomesAhead outcomes={present.outcomes} onDone={again} />
          <Latency latency={present.latency} operations={operations} onDone={again} />
          <Quota live={live} />
        </>
      )}
    </>
  );
}
