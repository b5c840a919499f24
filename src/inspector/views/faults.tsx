import type { SandboxCredentials } from '../../sandbox/core/keys/api-keys.js';
import type { SandboxFixtures } from '../../sandbox/kinds/seed/fixtures.js';
import type { Fault } from '../../sandbox/trouble/faults/faults.js';
import type { LatencySetting } from '../../sandbox/trouble/settings/latency.js';
import type { KnownOutcome } from '../../sandbox/trouble/settings/outcomes.js';
import { Action, CallButton, Removal } from '../parts/actions/action.js';
import { Forms, MethodForm } from '../parts/forms/method-form.js';
import { at, type Members } from '../parts/forms/schema.js';
import { useReading } from '../parts/hooks.js';
import { hrefOf } from '../parts/links/route.js';
import { Panel, ReadingState } from '../parts/panel.js';
import { useQuota } from '../parts/quota.js';
import { API_KEY, RECIPES, type RecipeCall, USER_ID } from '../parts/recipes.js';
import { useSandboxNow } from '../parts/sandbox-now.js';
import { Table } from '../parts/table.js';
import { type Trouble, useTroubles } from '../parts/troubles.js';
import { Coded } from '../parts/values/coded.js';
import { spanOf } from '../parts/values/format.js';
import type { ViewProps } from '../parts/view-props.js';
import { call, curlOf } from '../wire/api.js';

/** Trouble on purpose: what runs now, and what can be started. */
export function Faults({ id }: ViewProps) {
  return (
    <>
      <Running />
      <Recipes />
      <Panel
        title="Add a fault"
        hint="Requests that fit go wrong as you say. Fill in what you need; the rest keeps its default."
      >
        <AddFault key={id} operation={id} />
      </Panel>
      <Outcomes />
      <Latency />
      <Quota />
      <Settings />
      <Chaos />
    </>
  );
}

/** All that runs, in one list. */
function Running() {
  const { troubles, isRead, unread } = useTroubles();
  const now = useSandboxNow() ?? 0;
  return (
    <Panel
      title="Running now"
      hint="These apply to the next requests and deliveries. If several faults match, the oldest applies."
    >
      {unread !== undefined && <ReadingState reading={unread} />}
      {isRead && (
        <Table
          caption="Running faults"
          rows={troubles}
          keyOf={({ collection, id }) => `${collection} ${id}`}
          empty="No fault is active: every request is answered as it should be."
          columns={[
            { title: 'fault', cell: ({ what }) => what },
            { title: 'matches', cell: ({ target }) => target },
            { title: 'applied', isNumber: true, isMinor: true, cell: ({ applied }) => applied },
            { title: 'left', isNumber: true, isMinor: true, cell: ({ left }) => left },
            { title: 'since', isMinor: true, cell: ({ added }) => added && spanOf(Math.max(0, Date.now() - added)) },
            { title: 'time', isMinor: true, cell: (trouble) => timeOf(trouble, now) },
            { title: 'id', isMinor: true, cell: ({ id }) => id },
            { title: 'stop', cell: ({ collection, id }) => <Removal label="Stop" of={id} {...{ collection, id }} /> },
          ]}
        />
      )}
      <p class="actions">
        {STOP_ALL.filter(({ collection }) => troubles.some((one) => one.collection === collection)).map(
          ({ label, method }) => (
            <Action key={method} label={label} method={method} />
          ),
        )}
      </p>
    </Panel>
  );
}

const STOP_ALL = [
  { collection: 'faults', label: 'Stop all faults', method: 'faults/clear' },
  { collection: 'outcomes', label: 'Stop all outcomes', method: 'outcomes/clear' },
  { collection: 'webhooks/faults', label: 'Stop all bad deliveries', method: 'webhooks/faults/clear' },
] as const;

function timeOf({ from, until }: Trouble, now: number): string {
  if (from !== undefined && from > now) return `begins in ${spanOf(from - now)}`;
  return until === undefined ? 'until it is stopped' : `ends in ${spanOf(Math.max(0, until - now))}`;
}

/** Problems of production, each by a click. */
function Recipes() {
  const credentials = useReading<SandboxCredentials>('credentials');
  const fixtures = useReading<SandboxFixtures>('fixtures');
  const own: Readonly<Record<string, string | undefined>> = {
    [API_KEY]: credentials.data?.apiKey,
    [USER_ID]: fixtures.data?.userId,
  };
  const steps = (calls: readonly RecipeCall[]): Step[] =>
    calls.map(([method, ...args]) => [method.replaceAll('.', '/'), args.map((arg) => own[String(arg)] ?? arg)]);
  return (
    <Panel
      title="Recipes"
      hint="Problems that happen in production, as a few calls each. Taking one back also ends what you set by the same methods."
    >
      <ReadingState reading={credentials} />
      <ReadingState reading={fixtures} />
      {credentials.data !== undefined && fixtures.data !== undefined && (
        <ul class="cards">
          {RECIPES.map(({ name, effect, calls, back }) => (
            <li key={name} class="card">
              <h3>{name}</h3>
              <p>
                <Coded text={effect} />
              </p>
              <p class="actions">
                <StepsButton label="Start" of={name} steps={steps(calls)} />
                {back !== undefined && <StepsButton label="Take back" of={name} steps={steps(back)} />}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** A call as the control plane takes it. */
type Step = readonly [path: string, args: readonly unknown[]];

interface StepsProps {
  readonly label: string;
  readonly of: string;
  readonly steps: readonly Step[];
}

/** A button that makes calls one after another. */
const StepsButton = ({ label, of, steps }: StepsProps) => (
  <CallButton
    label={label}
    of={of}
    done="done"
    run={async () => {
      for (const [path, args] of steps) await call(path, ...args);
    }}
    curl={() => steps.map(([path, args]) => curlOf(path, ...args)).join('\n')}
  />
);

/** Faults that may have a `Retry-After`. */
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

/** Sets how the next effects of operations end. */
function Outcomes() {
  const known = useReading<readonly KnownOutcome[]>('outcomes/known');
  const fit = (values: Members) => {
    const { data = [] } = known;
    const outcomes = data.filter(({ operation }) => operation === at(values, 'options.operation'));
    const chosen = outcomes.find(({ outcome }) => outcome === at(values, 'options.outcome'));
    return {
      choices: {
        'options.operation': [...new Set(data.map(({ operation }) => operation))].map((one) => [one, one] as const),
        'options.outcome': outcomes.map(({ outcome, summary }) => [outcome, `${outcome}: ${summary}`] as const),
      },
      hidden: ['ms', 'reason'].filter((name) => chosen?.takes.includes(name) !== true).map((name) => `options.${name}`),
    };
  };
  return (
    <Panel title="Set an outcome" hint="Says how the next effect of an operation ends. The effect uses it up.">
      <ReadingState reading={known} />
      {known.data !== undefined && <MethodForm label="Set the outcome" method="outcomes/add" fit={fit} />}
    </Panel>
  );
}

/** Delays of answers. */
function Latency() {
  const reading = useReading<readonly LatencySetting[]>('latency');
  return (
    <Panel
      title="Latency"
      hint="A request takes effect when it arrives; its answer is delayed. The newest delay that fits counts."
    >
      <ReadingState reading={reading} />
      <Table
        caption="Delays of answers"
        rows={reading.data ?? []}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          {
            title: 'requests',
            cell: ({ operation, match }) => [operation ?? 'all', ...Object.entries(match ?? {}).flat()].join(' '),
          },
          { title: 'delay', cell: ({ ms }) => `${typeof ms === 'number' ? ms : ms.join(' to ')} ms` },
          {
            title: 'stop',
            cell: ({ id }) =>
              id === 'base' ? 'set at the start' : <Removal label="Stop" of={id} collection="latency" id={id} />,
          },
        ]}
      />
      <MethodForm label="Set the delay" method="latency/set" />
      <Action label="Stop all delays" method="latency/clear" />
    </Panel>
  );
}

/** What is left of each API key's quota. */
function Quota() {
  const reading = useQuota();
  const { data } = reading;
  return (
    <Panel title="Quota" hint="Above the quota a request gets 429, with the seconds to wait in Retry-After.">
      <ReadingState reading={reading} />
      {data !== undefined && (
        <>
          <p>
            {data.quota === undefined
              ? 'No quota for all keys.'
              : `${data.quota.requests} requests of each key in ${spanOf(data.quota.per)}.`}
          </p>
          <Table
            caption="Quotas of the API keys"
            rows={data.keys}
            keyOf={({ apiKey }) => apiKey}
            empty="No API key has a quota."
            columns={[
              { title: 'API key', cell: ({ apiKey }) => <a href={hrefOf('keys', apiKey)}>{apiKey}</a> },
              {
                title: 'left',
                cell: ({ left, requests }) => (
                  <>
                    <meter min={0} max={requests} value={left} aria-label="requests left" /> {left} of {requests}
                  </>
                ),
              },
              {
                title: 'window',
                cell: ({ endsInMs }) =>
                  endsInMs === undefined ? 'begins with the next request' : `ends in ${spanOf(endsInMs)}`,
              },
            ]}
          />
        </>
      )}
      <MethodForm label="Set the quota" method="quota/set" />
      <Action label="Remove the quota" method="quota/clear" />
    </Panel>
  );
}

/** Settings of the whole sandbox that make trouble. The other views have those of one thing. */
function Settings() {
  const { data: otp } = useReading<string | null>('otp');
  const { data: times = {} } = useReading<object>('executionTimes');
  const hasTimes = Object.keys(times).length > 0;
  return (
    <Panel title="Settings" hint="They stay as you set them until you undo them.">
      <p class="hint">
        <a href={hrefOf('resources')}>Resources</a> has balances, trade limits and the status of users,{' '}
        <a href={hrefOf('keys')}>Keys</a> scopes and nonce windows, <a href={hrefOf('webhooks')}>Webhooks</a> bad
        deliveries.
      </p>
      <p>
        {typeof otp === 'string'
          ? `Only the one-time password ${otp} is accepted.`
          : 'Any one-time password is accepted.'}{' '}
        {typeof otp === 'string' && <Action label="Accept any password" method="otp/set" args={[null]} />}
      </p>
      <Forms specs={[{ label: 'Accept one password only', method: 'otp/set' }]} />
      <p>
        {hasTimes ? `Steps take: ${JSON.stringify(times)}.` : 'Steps take their usual times.'}{' '}
        {hasTimes && <Action label="Undo all times" method="executionTimes/clear" />}
      </p>
      <Forms specs={[{ label: 'Set times of steps', method: 'executionTimes/set' }]} />
    </Panel>
  );
}

/** Every request may go wrong in any way. */
function Chaos() {
  const { data: faults = [] } = useReading<readonly Fault[]>('faults');
  const share = faults.find(({ fault }) => fault === 'chaos')?.probability;
  return (
    <Panel title="Chaos" hint="Requests go wrong at random, in every way that the sandbox knows.">
      <p>
        {share === undefined ? 'No chaos.' : `${Math.round(share * 1_000) / 10} per cent of all requests go wrong.`}
      </p>
      <MethodForm label="Set chaos" method="faults/chaos" />
    </Panel>
  );
}
