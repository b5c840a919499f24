import type { Scenario } from '../../../sandbox/trouble/scenarios/scenarios.js';
import { Action, Removal } from '../../parts/actions/action.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { Panel } from '../../parts/panel.js';
import { momentOf } from '../../parts/values/format.js';

interface ScenariosProps {
  readonly scenarios: readonly Scenario[];
}

/** All scenarios, with what each shows, its options, and if and until when it runs. */
export function Scenarios({ scenarios }: ScenariosProps) {
  return (
    <Panel
      title="Scenarios"
      hint="The same troubles by name, with options. Each runs until it is stopped, or its time is over."
    >
      <ul class="cards">
        {scenarios.map((one) => (
          <OneScenario key={one.name} scenario={one} />
        ))}
      </ul>
      <Action label="Stop all scenarios" method="scenarios/stopAll" />
    </Panel>
  );
}

interface OneScenarioProps {
  readonly scenario: Scenario;
}

function OneScenario({ scenario: { name, summary, options, running, given, until } }: OneScenarioProps) {
  return (
    <li class={running ? 'card is-shown' : 'card'}>
      <h3>{name}</h3>
      {running && <span class="badge badge-bad">runs</span>}
      <p>{plain(summary)}</p>
      {running && (
        <p>
          {until === undefined ? 'Until it is stopped' : `Until ${momentOf(until)}`}
          {Object.keys(given ?? {}).length > 0 && `, with ${JSON.stringify(given)}`}.{' '}
          <Removal label={`stop ${name}`} collection="scenarios" id={name} />
        </p>
      )}
      <details>
        <summary>{running ? 'Start anew, with options' : 'Start, with options'}</summary>
        <MethodForm
          label={`Start ${name}`}
          method="scenarios/start"
          given={{ name }}
          only={Object.keys(options).map((option) => `options.${option}`)}
        />
      </details>
    </li>
  );
}

/** The sandbox writes its sentences for documents, with code between these marks. */
const plain = (sentence: string): string => sentence.replaceAll('`', '');
