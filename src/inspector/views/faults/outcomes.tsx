import type { KnownOutcome } from '../../../sandbox/trouble/settings/outcomes.js';
import { Action, Removal } from '../../parts/actions/action.js';
import { Told } from '../../parts/actions/told.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { at, type Members } from '../../parts/forms/schema.js';
import { useReading } from '../../parts/hooks.js';
import { Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';
import type { Present } from './present.js';

interface OutcomesAheadProps {
  readonly outcomes: Present['outcomes'];
}

/** Sets the ends of the next effects of operations. */
export function OutcomesAhead({ outcomes }: OutcomesAheadProps) {
  const known = useReading<KnownOutcome[]>('outcomes/known');
  return (
    <Panel title="Outcomes set ahead" hint="Says how the next effect of an operation ends. The effect uses it up.">
      <Table
        caption="Outcomes to come"
        rows={outcomes}
        keyOf={({ id }) => id}
        empty="No outcome is set ahead: everything ends as usual."
        columns={[
          { title: 'operation', cell: ({ operation }) => operation },
          { title: 'outcome', cell: ({ outcome }) => outcome },
          { title: 'more', cell: moreOf },
          { title: 'taken', isNumber: true, cell: ({ taken }) => taken },
          { title: 'left', isNumber: true, cell: ({ left }) => left ?? 'always' },
          {
            title: 'take back',
            cell: ({ id }) => <Removal label="take back" collection="outcomes" id={id} />,
          },
        ]}
      />
      <Action label="Take all outcomes back" method="outcomes/clear" />
      <Told reading={known} />
      {known.data !== undefined && <AddOutcome known={known.data} />}
    </Panel>
  );
}

function moreOf({ account, ms, reason }: Present['outcomes'][number]): string {
  const parts = Object.entries({ account, ms, reason }).filter(([, value]) => value !== undefined);
  return parts.map(([name, value]) => `${name} ${value}`).join(' · ');
}

interface AddOutcomeProps {
  readonly known: readonly KnownOutcome[];
}

function AddOutcome({ known }: AddOutcomeProps) {
  const fit = (values: Members) => {
    const operation = at(values, 'options.operation');
    const outcomes = known.filter((one) => one.operation === operation);
    const chosen = outcomes.find(({ outcome }) => outcome === at(values, 'options.outcome'));
    return {
      choices: {
        'options.operation': [...new Set(known.map((one) => one.operation))].map((one) => [one, one] as const),
        'options.outcome': outcomes.map(({ outcome, summary }) => [outcome, `${outcome}: ${summary}`] as const),
      },
      hidden: ['ms', 'reason'].filter((name) => chosen?.takes.includes(name) !== true).map((name) => `options.${name}`),
    };
  };
  return <MethodForm label="Set the outcome" method="outcomes/add" fit={fit} />;
}
