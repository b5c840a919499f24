import { Action, Removal } from '../../parts/actions/button.js';
import { FailNext } from '../../parts/fail-next.js';
import { Panel, ReadingState } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { Table } from '../../parts/table.js';
import { targetOf, useTroubles, whatOf } from '../../parts/troubles.js';
import { spanOf } from '../../parts/values/times.js';
import { address } from '../../wire/address.js';
import type { Trouble } from '../../wire/sandbox.js';
import { Recipes } from './recipe-table.js';

/**
 * Trouble on purpose: the next calls in one sentence, what runs now, and what a click can start.
 */
export function Faults() {
  const { id } = address.value;
  return (
    <>
      <Panel title="Faults">
        <FailNext key={id} operation={id} />
      </Panel>
      <Running />
      <Recipes />
    </>
  );
}

/** All that runs, in one list. */
function Running() {
  const troubles = useTroubles();
  const now = useSandboxNow() ?? 0;
  const { data = [] } = troubles;
  return (
    <Panel title="Running now">
      <ReadingState reading={troubles} />
      {troubles.data !== undefined && (
        <Table
          caption="Running faults"
          rows={data}
          keyOf={({ id }) => id}
          empty="Nothing: every request gets the response that it should."
          columns={[
            { title: 'fault', cell: whatOf },
            { title: 'matches', cell: targetOf },
            { title: 'applied', isNumber: true, isMinor: true, cell: ({ applied }) => applied },
            { title: 'left', isNumber: true, isMinor: true, cell: ({ left }) => left },
            { title: 'time', isMinor: true, cell: (trouble) => timeOf(trouble, now) },
            { title: 'id', isMinor: true, cell: ({ id }) => id },
            { title: '', cell: ({ id }) => <Removal label="Stop" of={id} collection="troubles" id={id} /> },
          ]}
        />
      )}
      {data.length > 1 && <Action label="Stop all" of="faults" method="troubles/clear" />}
    </Panel>
  );
}

function timeOf({ from, until }: Trouble, now: number): string {
  if (from !== undefined && from > now) return `begins in ${spanOf(from - now)}`;
  return until === undefined ? 'until it is stopped' : `ends in ${spanOf(Math.max(0, until - now))}`;
}
