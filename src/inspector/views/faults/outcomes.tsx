import type { KnownOutcome } from '../../../sandbox/trouble/settings/outcomes.js';
import { Action, Removal } from '../../parts/actions/action.js';
import { Told } from '../../parts/actions/told.js';
import type { OptionField, Texts } from '../../parts/forms/option-fields.js';
import { OptionsForm } from '../../parts/forms/options-form.js';
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
  return (
    <OptionsForm
      label="Set the outcome"
      method="outcomes/add"
      fields={(texts) => fieldsFor(texts, known)}
      argsOf={({ what, ...options }) => {
        const [operation, outcome] = String(what).split(' ');
        return [{ operation, outcome, ...options }];
      }}
    />
  );
}

function fieldsFor(texts: Texts, known: readonly KnownOutcome[]): OptionField[] {
  const choices = known.map(
    ({ operation, outcome }) => [`${operation} ${outcome}`, `${operation}: ${outcome}`] as const,
  );
  const what = texts['what'] ?? choices[0]?.[0];
  const chosen = known.find(({ operation, outcome }) => `${operation} ${outcome}` === what);
  const takes = (name: string): boolean => chosen?.takes.includes(name) === true;
  return [
    { name: 'what', label: 'Operation and outcome', hint: chosen?.summary, choices },
    {
      name: 'times',
      label: 'Times',
      hint: 'A number, or always. By default 1.',
      kind: 'number',
      suggestions: ['1', 'always'],
    },
    { name: 'account', label: 'Account', hint: 'Its id. By default every account.' },
    ...(takes('ms')
      ? [{ name: 'ms', label: 'Time', hint: 'Milliseconds of the clock.', kind: 'number' } as const]
      : []),
    ...(takes('reason') ? [{ name: 'reason', label: 'Reason', hint: 'By default that of the outcome.' }] : []),
  ];
}
