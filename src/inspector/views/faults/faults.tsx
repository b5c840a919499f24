import { MethodForm } from '../../parts/forms/method-form.js';
import { at, type Members } from '../../parts/forms/schema.js';
import { Panel } from '../../parts/panel.js';
import type { ViewProps } from '../../parts/view-props.js';
import { Armed } from './armed.js';
import { Gallery } from './gallery.js';
import { OutcomesAhead } from './outcomes.js';
import { Latency, Quota } from './pace.js';
import { usePresent } from './present.js';
import { Scenarios } from './scenarios.js';

/** Trouble on purpose: what is armed, what can be, and how to take it back. */
export function Faults({ id }: ViewProps) {
  const { present, problem } = usePresent();
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
            <AddFault key={id} operation={id} />
          </Panel>
          <Scenarios scenarios={present.scenarios} />
          <OutcomesAhead outcomes={present.outcomes} />
          <Latency latency={present.latency} />
          <Quota />
        </>
      )}
    </>
  );
}

/** Faults that `Retry-After` may stand in. */
const isRefusal = (fault: unknown): boolean => typeof fault === 'number' || fault === 'html';

/** The paths of the options that do not fit the fault. */
function hiddenFor(values: Members): string[] {
  const fault = at(values, 'options.fault');
  const isError = typeof fault === 'number' && fault >= 400;
  return [
    ...(fault === 'slow' ? [] : ['bytesPerSecond']),
    ...(isRefusal(fault) ? [] : ['retryAfterSeconds']),
    ...(isError ? [] : ['code', 'type', 'causes', 'docUrl']),
  ].map((name) => `options.${name}`);
}

/** A form of every option of a fault. */
const AddFault = ({ operation }: { readonly operation: string | undefined }) => (
  <MethodForm
    label="Add the fault"
    method="faults/add"
    begin={{ 'options.fault': 503, ...(operation && { 'options.operation': operation }) }}
    fit={(values) => ({ hidden: hiddenFor(values) })}
  />
);
