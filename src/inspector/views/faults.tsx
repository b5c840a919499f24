import type { SandboxCredentials } from '../../sandbox/core/keys/api-keys.js';
import type { SandboxFixtures } from '../../sandbox/kinds/seed/fixtures.js';
import type { KnownOutcome } from '../../sandbox/trouble/outcomes.js';
import type { Settings } from '../../sandbox/trouble/settings.js';
import type { Trouble } from '../../sandbox/trouble/trouble.js';
import { Action, CallButton, Removal } from '../parts/actions/action.js';
import { Forms, MethodForm } from '../parts/forms/method-form.js';
import { at, isMembers, type Members } from '../parts/forms/schema.js';
import { useReading } from '../parts/hooks.js';
import { hrefOf } from '../parts/links/route.js';
import { Panel, ReadingState } from '../parts/panel.js';
import { useKeys } from '../parts/quota.js';
import { API_KEY, RECIPES, type RecipeCall, USER_ID } from '../parts/recipes.js';
import { useSandboxNow } from '../parts/sandbox-now.js';
import { Table } from '../parts/table.js';
import { NOT_OF_DELIVERIES, targetOf, useTroubles, whatOf } from '../parts/troubles.js';
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
        title="Add a trouble"
        hint="Requests or deliveries that fit go wrong as you say. Fill in what you need; the rest keeps its default."
      >
        <AddTrouble key={id} operation={id} />
      </Panel>
      <Panel title="Chaos" hint="Requests go wrong at random, in every way that the sandbox knows.">
        <MethodForm
          label="Start chaos"
          method="troubles/add"
          given={{ 'options.does': 'chaos' }}
          begin={{ 'options.probability': 0.05 }}
          only={['options.probability']}
        />
      </Panel>
      <Quota />
      <OtherSettings />
    </>
  );
}

/** All that runs, in one list. */
function Running() {
  const troubles = useTroubles();
  const now = useSandboxNow() ?? 0;
  return (
    <Panel
      title="Running now"
      hint="These apply to the next requests and deliveries. If several faults match, the oldest applies."
    >
      <ReadingState reading={troubles} />
      {troubles.data !== undefined && (
        <Table
          caption="Running faults"
          rows={troubles.data}
          keyOf={({ id }) => id}
          empty="No fault is active: every request is answered as it should be."
          columns={[
            { title: 'fault', cell: whatOf },
            { title: 'matches', cell: targetOf },
            { title: 'applied', isNumber: true, isMinor: true, cell: ({ applied }) => applied },
            { title: 'left', isNumber: true, isMinor: true, cell: ({ left }) => left },
            { title: 'since', isMinor: true, cell: ({ real }) => spanOf(Math.max(0, Date.now() - real)) },
            { title: 'time', isMinor: true, cell: (trouble) => timeOf(trouble, now) },
            { title: 'id', isMinor: true, cell: ({ id }) => id },
            { title: 'stop', cell: ({ id }) => <Removal label="Stop" of={id} collection="troubles" id={id} /> },
          ]}
        />
      )}
      {troubles.data !== undefined && troubles.data.length > 0 && (
        <p class="actions">
          <Action label="Stop all faults" method="troubles/clear" />
        </p>
      )}
    </Panel>
  );
}

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

/** A form of every option of a trouble. */
function AddTrouble({ operation }: { readonly operation: string | undefined }) {
  const known = useReading<readonly KnownOutcome[]>('troubles/outcomes');
  const fit = (values: Members) => {
    const of = known.data?.filter((one) => one.operation === at(values, 'options.match.operation')) ?? [];
    const chosen = of.find(({ outcome }) => outcome === at(values, 'options.does.outcome'));
    return {
      hidden: [...hiddenFor(values), ...without(['afterMs', 'reason'], chosen?.takes ?? [])],
      choices: {
        'options.does.outcome': of.map(({ outcome, summary }) => [outcome, `${outcome}: ${summary}`] as const),
      },
    };
  };
  return (
    <>
      <ReadingState reading={known} />
      <MethodForm
        label="Add the trouble"
        method="troubles/add"
        begin={{ 'options.does.fault': 503, ...(operation && { 'options.match.operation': operation }) }}
        fit={fit}
      />
    </>
  );
}

/** The paths of the options that do not fit what it does. */
function hiddenFor(values: Members): string[] {
  const does = at(values, 'options.does');
  if (!isMembers(does)) return [];
  if ('delivery' in does) return NOT_OF_DELIVERIES;
  const { fault } = does;
  const isError = typeof fault === 'number' && fault >= 400;
  return [
    'options.match.event',
    'options.match.eventId',
    ...('fault' in does ? [] : ['options.when']),
    ...without(['bytesPerSecond'], fault === 'slow' ? ['bytesPerSecond'] : []),
    ...without(['retryAfterSeconds'], typeof fault === 'number' || fault === 'html' ? ['retryAfterSeconds'] : []),
    ...(isError ? [] : without(['code', 'type', 'causes', 'docUrl'], [])),
  ];
}

/** The paths of these members of `does` but for some. */
const without = (names: readonly string[], kept: readonly string[]): string[] =>
  names.filter((name) => !kept.includes(name)).map((name) => `options.does.${name}`);

/** What is left of each API key's quota. */
function Quota() {
  const settings = useReading<Settings>('settings');
  const keys = useKeys();
  const quota = settings.data?.quota;
  const limited = keys.data?.flatMap((key) => (key.quota === undefined ? [] : { ...key.quota, apiKey: key.apiKey }));
  return (
    <Panel title="Quota" hint="Above the quota a request gets 429, with the seconds to wait in Retry-After.">
      <ReadingState reading={settings} />
      <ReadingState reading={keys} />
      {quota !== undefined && (
        <p>
          {quota === null
            ? 'No quota for all keys.'
            : `${quota.requests} requests of each key in ${spanOf(quota.perMs)}.`}
        </p>
      )}
      {limited !== undefined && (
        <Table
          caption="Quotas of the API keys"
          rows={limited}
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
      )}
      <MethodForm
        label="Set the quota"
        method="settings/update"
        begin={{ 'settings.quota': {} }}
        only={['settings.quota']}
      />
      <Action label="Remove the quota" method="settings/update" args={[{ quota: null }]} />
    </Panel>
  );
}

/** Settings of the whole sandbox that make trouble. The other views have those of one thing. */
function OtherSettings() {
  const { data: otp } = useReading<string | null>('otp');
  const { data: settings } = useReading<Settings>('settings');
  const times = settings?.executionTimes ?? {};
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
        {hasTimes && <Action label="Undo all times" method="settings/update" args={[{ executionTimes: null }]} />}
      </p>
      <Forms
        specs={[
          {
            label: 'Set times of steps',
            method: 'settings/update',
            begin: { 'settings.executionTimes': {} },
            only: ['settings.executionTimes'],
          },
        ]}
      />
    </Panel>
  );
}
