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
export function Faults({ id }: ViewProps) {
  const { present, problem } = usePresent();
  const operations = useOperations();
  return (
    <>
      {problem !== undefined && <p class="note">{problem}</p>}
      {present === undefined ? (
        <p class="empty">Reading …</p>
      ) : (
        <>
          <Armed present={present} />
          <Gallery present={present} />
          <Panel
            title="Add a fault"
            hint="Requests that fit go wrong as you say. Fill in what you need; the rest stays as by default."
          >
            {operations.length === 0 ? (
              <p class="empty">Reading the operations …</p>
            ) : (
              <AddFault key={id} operations={operations} operation={id} keys={present.keys} />
            )}
          </Panel>
          <Scenarios scenarios={present.scenarios} />
          <OutcomesAhead outcomes={present.outcomes} />
          <Latency latency={present.latency} operations={operations} />
          <Quota />
        </>
      )}
    </>
  );
}
