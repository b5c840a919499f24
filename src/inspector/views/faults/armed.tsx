import type { WebhookFault } from '../../../sandbox/webhooks/delivery/delivery-fault.js';
import { Action, Removal } from '../../parts/actions/action.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { Panel } from '../../parts/panel.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { Table } from '../../parts/table.js';
import { spanOf } from '../../parts/values/format.js';
import type { ListedFault, Present } from './present.js';

interface ArmedProps {
  readonly present: Present;
}

/** Troubles that can strike the next requests and deliveries. */
export function Armed({ present: { faults, scenarios, outcomes, 'webhooks/faults': webhooks } }: ArmedProps) {
  const now = useSandboxNow() ?? 0;
  const running = scenarios.filter((one) => one.running);
  const isQuiet = running.length + outcomes.length + webhooks.length === 0;
  const chaos = faults.find(({ fault }) => fault === 'chaos')?.probability;
  return (
    <Panel title="Armed faults" hint="What can strike the next requests, oldest first. The oldest that fits strikes.">
      {running.length > 0 && (
        <Table
          caption="Running scenarios"
          rows={running}
          keyOf={({ name }) => name}
          empty=""
          columns={[
            { title: 'scenario', cell: ({ name }) => name },
            { title: 'what it does', cell: ({ summary }) => summary.replaceAll('`', '') },
            { title: 'time', cell: (scenario) => timeOf(scenario, now) },
            {
              title: 'stop',
              cell: ({ name }) => <Removal label={`stop ${name}`} collection="scenarios" id={name} />,
            },
          ]}
        />
      )}
      <Table
        caption="Faults that can strike"
        rows={faults}
        keyOf={({ id }) => id}
        empty={`No fault is armed${isQuiet ? ': every request is answered as it should be' : ''}.`}
        columns={[
          { title: 'fault', cell: whatOf },
          { title: 'matches', cell: matchOf },
          { title: 'struck', isNumber: true, cell: ({ struck }) => struck },
          { title: 'left', isNumber: true, cell: ({ left }) => left ?? 'always' },
          { title: 'age', isNumber: true, cell: ({ real }) => spanOf(Math.max(0, Date.now() - real)) },
          { title: 'time', cell: (fault) => timeOf(fault, now) },
          { title: 'id', cell: ({ id }) => id },
          {
            title: 'take back',
            cell: ({ id, scenario }) =>
              scenario === undefined ? (
                <Removal label="take back" collection="faults" id={id} />
              ) : (
                <Removal label={`stop ${scenario}`} collection="scenarios" id={scenario} />
              ),
          },
        ]}
      />
      {webhooks.length > 0 && (
        <Table
          caption="Bad webhooks to come"
          rows={webhooks}
          keyOf={({ id }) => id}
          empty=""
          columns={[
            { title: 'bad webhook', cell: badOf },
            { title: 'struck', isNumber: true, cell: ({ struck }) => struck },
            { title: 'left', isNumber: true, cell: ({ left }) => left },
            { title: 'id', cell: ({ id }) => id },
            {
              title: 'take back',
              cell: ({ id }) => <Removal label="take back" collection="webhooks/faults" id={id} />,
            },
          ]}
        />
      )}
      <p>
        <Action label="Take all faults back" method="faults/clear" />{' '}
        <Action label="Take all bad webhooks back" method="webhooks/faults/clear" />
      </p>
      <h3>
        Chaos: {chaos === undefined ? 'none' : `${Math.round(chaos * 1_000) / 10} per cent of all requests go wrong`}
      </h3>
      <MethodForm label="Set chaos" method="faults/chaos" />
    </Panel>
  );
}

function whatOf({ fault, when, code, retryAfterSeconds, bytesPerSecond }: ListedFault): string {
  const more = [
    when === undefined ? undefined : `${when} the effect`,
    code,
    retryAfterSeconds === undefined ? undefined : `Retry-After ${retryAfterSeconds}`,
    bytesPerSecond === undefined ? undefined : `${bytesPerSecond} bytes/s`,
  ];
  return [fault, ...more.filter((one) => one !== undefined)].join(' · ');
}

function matchOf({ operation, match, probability }: ListedFault): string {
  const parts = Object.entries(match ?? {}).map(([name, value]) => `${name} ${value}`);
  const share = probability === undefined ? [] : [`probability ${probability}`];
  return [operation ?? 'every request', ...parts, ...share].join(' · ');
}

function timeOf({ from, until }: Pick<ListedFault, 'from' | 'until'>, now: number): string {
  if (from !== undefined && from > now) return `begins in ${spanOf(from - now)}`;
  return until === undefined ? 'without end' : `ends in ${spanOf(Math.max(0, until - now))}`;
}

function badOf({ id: _, struck: __, left: ___, ...options }: WebhookFault): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
}
