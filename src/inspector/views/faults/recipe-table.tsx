import type { ComponentChildren } from 'preact';
import { Action, Button } from '../../parts/actions/button.js';
import { type FormSpec, MethodForm } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { Menu } from '../../parts/menu.js';
import { Panel } from '../../parts/pane.js';
import { Table } from '../../parts/table.js';
import { spanOf } from '../../parts/values/times.js';
import { Coded } from '../../parts/values/words.js';
import { call, curlOf } from '../../wire/api.js';
import type { SandboxCredentials, SandboxFixtures, Settings } from '../../wire/sandbox.js';
import { API_KEY, RECIPES, type RecipeCall, USER_ID } from './recipes.js';

interface Row {
  readonly name: string;
  /** What a client of the API sees; of a setting, how it is at present. */
  readonly effect: string;
  readonly buttons: ComponentChildren;
}

/**
 * Problems of production and settings of the whole sandbox, each a row with what starts and ends
 * it.
 */
export function Recipes() {
  const rows = [...useRecipes(), ...useSettings()];
  return (
    <Panel title="Recipes" hint="Taking one back also ends what you have set by the same methods.">
      <Table
        caption="All recipes"
        rows={rows}
        keyOf={({ name }) => name}
        empty="Loading …"
        columns={[
          {
            title: 'what happens',
            cell: ({ name, effect }) => (
              <p class="recipe">
                <b>{name}</b> <Coded text={effect} />
              </p>
            ),
          },
          { title: '', cell: ({ buttons }) => buttons },
        ]}
      />
    </Panel>
  );
}

/** Each by a click, and back by a click. */
function useRecipes(): Row[] {
  const { data: credentials } = useReading<SandboxCredentials>('credentials');
  const { data: fixtures } = useReading<SandboxFixtures>('fixtures');
  const own: Readonly<Record<string, string | undefined>> = {
    [API_KEY]: credentials?.apiKey,
    [USER_ID]: fixtures?.userId,
  };
  const button = (label: string, of: string, calls: readonly RecipeCall[]) => {
    const steps = calls.map(
      ([method, ...args]) =>
        [method.replaceAll('.', '/'), ...args.map((arg) => own[String(arg)] ?? arg)] as [string, ...unknown[]],
    );
    return (
      <Button
        label={label}
        of={of}
        run={async () => {
          for (const step of steps) await call(...step);
        }}
        curl={() => steps.map((step) => curlOf(...step)).join('\n')}
      />
    );
  };
  if (credentials === undefined || fixtures === undefined) return [];
  return RECIPES.map(({ name, effect, calls, back }) => ({
    name,
    effect,
    buttons: (
      <span class="actions">
        {button('Start', name, calls)}
        {back !== undefined && button('Take back', name, back)}
      </span>
    ),
  }));
}

/** What needs an argument opens its form; the sandbox tells how it is at present. */
function useSettings(): Row[] {
  const { data: otp } = useReading<string | null>('otp');
  const { data: settings } = useReading<Settings>('settings');
  if (otp === undefined || settings === undefined) return [];
  const { quota, executionTimes } = settings;
  const times = Object.entries(executionTimes).map(([step, ms]) => `${step} ${spanOf(ms ?? 0)}`);
  return [
    row('chaos', 'Requests go wrong at random, in every way that the sandbox knows.', {
      label: 'Start chaos',
      method: 'troubles/add',
      given: { 'options.does': 'chaos' },
      begin: { 'options.probability': 0.05 },
      only: ['options.probability'],
    }),
    row('latency', 'Every response takes longer.', {
      label: 'Start latency',
      method: 'troubles/add',
      begin: { 'options.does.delayMs': [200, 800] },
      only: ['options.does.delayMs'],
    }),
    row(
      'quota',
      quota === null
        ? 'No quota for all API keys.'
        : `${quota.requests} requests of each API key in ${spanOf(quota.perMs)}.`,
      {
        label: 'Set the quota',
        method: 'settings/update',
        begin: { 'settings.quota': quota ?? { requests: 5, perMs: 10_000 } },
        only: ['settings.quota'],
      },
      quota !== null && <Action label="Remove" of="the quota" method="settings/update" args={[{ quota: null }]} />,
    ),
    row(
      'one-time password',
      otp === null ? 'Any is accepted.' : `Only ${otp} is accepted.`,
      { label: 'Accept one password only', method: 'otp/set' },
      otp !== null && <Action label="Accept any" of="password" method="otp/set" args={[null]} />,
    ),
    row(
      'times of steps',
      times.length === 0 ? 'Steps take their usual times.' : `Steps take: ${times.join(', ')}.`,
      {
        label: 'Set times of steps',
        method: 'settings/update',
        begin: { 'settings.executionTimes': executionTimes },
        only: ['settings.executionTimes'],
      },
      times.length > 0 && (
        <Action label="Undo" of="all times" method="settings/update" args={[{ executionTimes: null }]} />
      ),
    ),
  ];
}

const row = (name: string, effect: string, form: FormSpec, end?: ComponentChildren): Row => ({
  name,
  effect,
  buttons: (
    <span class="actions">
      <Menu label={`Set ${name}`} title="Set …">
        {() => <MethodForm {...form} />}
      </Menu>
      {end}
    </span>
  ),
});
