import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import type { SendOptions, SendResult } from '../../../sandbox/drive/requests/send.js';
import type { SandboxFixtures } from '../../../sandbox/kinds/seed/fixtures.js';
import type { Operation, Parameter, ServiceApi } from '../../parts/forms/documents.js';
import { at, type Members, put } from '../../parts/forms/schema.js';
import { call, read } from '../../wire/api.js';

/** The groups of parameters. */
export type Place = Parameter['in'];

/** The values of a form. */
export interface Draft {
  /** Parameters by name. Undefined ones are left out. */
  readonly path: Members;
  readonly query: Members;
  /** The sandbox fills in those that are left out. */
  readonly header: Members;
  /** The text that is sent. Undefined: none. */
  readonly body: string | undefined;
  /** Values that the page fills in until the user sets them. */
  readonly open: readonly Origin[];
}

const examples = (parameters: readonly Parameter[], place: Place): Members =>
  Object.fromEntries(parameters.flatMap((one) => (one.in === place ? [[one.name, one.example]] : [])));

/**
 * Fills in a form, so that it can be sent as it stands. `given` are the ids that the address names.
 */
export async function newDraft(operation: Operation, given: Members): Promise<Draft> {
  const { name, parameters, body } = operation;
  const fixtures = await read<SandboxFixtures>('fixtures');
  const places = Object.entries(examples(parameters, 'path')).map(([member, example]) => {
    return [member, given[member] ?? fixtureOf(fixtures, `path.${member}`) ?? example];
  });
  const addresses = name.startsWith('funds.withdrawal') ? await resourcesOf(fixtures, 'withdrawalAddresses') : [];
  const filled =
    body === undefined ? undefined : { ...(body.example as object), ...bodyFixtures(name, fixtures, addresses) };
  const draft: Draft = {
    path: Object.fromEntries(places),
    query: examples(parameters, 'query'),
    body: filled === undefined ? undefined : JSON.stringify(filled, null, 2),
    header: {},
    open: originsOf(name).filter(({ place }) => given[place.slice('path.'.length)] === undefined),
  };
  return refilled(draft);
}

/**
 * Fills the newest ids of the sandbox into fields that the user has not set. An id that still fits
 * stays. A field stays empty if there is no id yet.
 */
async function refilled(draft: Draft): Promise<Draft> {
  const fixtures = await read<SandboxFixtures>('fixtures');
  let next = draft;
  for (const origin of draft.open)
    next = withValue(next, origin.place, (await presentOf(fixtures, origin, draft)) ?? '');
  return next;
}

async function presentOf(
  fixtures: SandboxFixtures,
  { kind, status, place }: Origin,
  { path }: Draft,
): Promise<string | undefined> {
  if (kind === undefined) return undefined;
  const names = (await resourcesOf(fixtures, kind, status)).map(nameOf);
  return names.find((name) => name === at({ path }, place)) ?? names[0];
}

/** Kinds that belong to no account. */
const PARTNERS: readonly string[] = ['webhooks', 'users'];

function resourcesOf({ accountId }: SandboxFixtures, kind: string, status?: string): Promise<SandboxResource[]> {
  const account = PARTNERS.includes(kind) ? undefined : accountId;
  return read(`resources/${kind}`, { account, status, limit: 100 });
}

/** Puts a value at `path.quote_id` or `body.method_id`. */
export function withValue(draft: Draft, place: string, value: unknown): Draft {
  const [part = '', ...rest] = place.split('.');
  if (part !== 'body') return { ...draft, [part]: put(draft[part as Place], rest.join('.'), value) };
  return { ...draft, body: JSON.stringify(put(JSON.parse(draft.body ?? '{}'), rest.join('.'), value), null, 2) };
}

/** Marks a value as set by the user, so that the page no longer fills it in. */
export const decided = (draft: Draft, place: string): Draft => ({
  ...draft,
  open: draft.open.filter((one) => one.place !== place),
});

/** Path and query as they are sent. */
function targetOf({ path }: Operation, draft: Draft): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(draft.path[name] ?? '')));
  const pairs = Object.entries(draft.query).flatMap(([name, value]) => pairsOf(name, value));
  const text = pairs
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  return text === '' ? filled : `${filled}?${text}`;
}

function pairsOf(name: string, value: unknown): [string, unknown][] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [[name, value]];
  return value.flatMap((item: unknown, index): [string, unknown][] =>
    typeof item === 'object' && item !== null
      ? Object.entries(item).map(([member, inner]) => [`${name}[${index}][${member}]`, inner])
      : [[name, item]],
  );
}

/** The request that the sandbox is asked to sign and send. */
export function optionsOf(operation: Operation, draft: Draft): SendOptions {
  const { body, header } = draft;
  const [apiKey, key, otp] = ['API-Key', 'Idempotency-Key', 'API-Otp'].map(
    (name) => header[name] as string | undefined,
  );
  return {
    method: operation.method,
    path: targetOf(operation, draft),
    body: body === undefined ? undefined : compact(body),
    ...{ apiKey, key, otp },
  };
}

/**
 * Removes white space between the tokens of JSON. Other text stays as it is, so that the service
 * judges it.
 */
function compact(text: string): string {
  try {
    JSON.parse(text);
    return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  } catch {
    return text;
  }
}

export const send = (operation: Operation, draft: Draft): Promise<SendResult> =>
  call('requests/send', optionsOf(operation, draft));

/**
 * Creates what a form needs and the sandbox does not have yet. Returns the form with the new ids.
 */
export async function prepared(api: ServiceApi, draft: Draft): Promise<Draft> {
  let next = await refilled(draft);
  const fixtures = await read<SandboxFixtures>('fixtures');
  for (const origin of draft.open) {
    const { place, maker, at } = origin;
    const operation = api.operations.find(({ name }) => name === maker);
    if (operation === undefined || (await presentOf(fixtures, origin, next)) !== undefined) continue;
    const made = await send(operation, await prepared(api, await newDraft(operation, {})));
    const id = idIn(made, at);
    if (id === undefined)
      throw new Error(`${operation.name} was answered ${made.status ?? 'nothing'}: see request ${made.seq}`);
    next = withValue(next, place, id);
  }
  return next;
}

/** The source of a form's value. */
interface Origin {
  /** Path in the form: `path.quote_id`, `body.method_id`. */
  readonly place: string;
  /** The kind of resources that it is an id of. */
  readonly kind?: string;
  /** Only resources in this state will do. */
  readonly status?: string;
  /** The operation that gives an id if there is none, and always if there is no kind. */
  readonly maker?: string;
  /** Path of the id in the answer of that operation. Default: `data.id`. */
  readonly at?: readonly (string | number)[];
}

const quote: Origin = { place: 'path.quote_id', kind: 'quotes', maker: 'accounts.quotes.create' };
const onchain: Origin = { place: 'path.quote_id', kind: 'onchainQuotes', maker: 'accounts.onchainQuotes.create' };
const swap: Origin = { place: 'path.id', kind: 'priceTriggerSwaps', maker: 'accounts.priceTriggerSwaps.create' };
const transfer: Origin = { place: 'path.transfer_id', kind: 'transfers', maker: 'accounts.transfers.create' };
const webhook: Origin = { place: 'path.webhook_id', kind: 'webhooks', maker: 'webhooks.create' };
const user: Origin = { place: 'path.user_id', kind: 'users', maker: 'users.create' };
const first = ['data', 0, 'id'] as const;

/** Sources of values that `fixtures` does not have, by operation. */
const ORIGINS: Readonly<Record<string, readonly Origin[]>> = {
  'accounts.quotes.get': [quote],
  'accounts.quotes.execute': [{ ...quote, status: 'offered' }],
  'accounts.onchainQuotes.get': [onchain],
  'accounts.priceTriggerSwaps.get': [swap],
  'accounts.priceTriggerSwaps.cancel': [{ ...swap, status: 'active' }],
  'conversions.get': [{ place: 'path.conversion_id', kind: 'conversions', maker: 'accounts.conversions.create' }],
  'transfers.get': [transfer],
  'transfers.cancel': [{ ...transfer, status: 'pending' }],
  'webhooks.update': [webhook],
  'webhooks.delete': [webhook],
  'webhooks.test': [webhook],
  'funds.addresses.delete': [{ place: 'path.address_id', kind: 'fundingAddresses' }],
  'funds.bankLinks.get': [{ place: 'path.bank_link_id', kind: 'bankLinks' }],
  'funds.withdrawalAddresses.update': [
    { place: 'path.key', kind: 'withdrawalAddresses', maker: 'funds.withdrawalAddresses.save', at: ['data', 'key'] },
  ],
  'funds.depositAddresses.create': [{ place: 'body.method_id', maker: 'funds.depositMethods.list', at: first }],
  'reports.settlement.get': [{ place: 'path.report_id', maker: 'reports.settlement.list', at: first }],
};

const originsOf = (operation: string): readonly Origin[] => ORIGINS[operation] ?? [];

/** Members of a path that the fixtures have under another name. */
function fixtureOf(fixtures: SandboxFixtures, place: string): string | undefined {
  const known: Readonly<Record<string, string>> = {
    'path.account_id': fixtures.accountId,
    'path.user_id': fixtures.userId,
  };
  return known[place];
}

/** Members of bodies that differ by seed, or that must be new each time. */
function bodyFixtures(
  operation: string,
  fixtures: SandboxFixtures,
  used: readonly SandboxResource[],
): Readonly<Record<string, string>> {
  const fresh = (name: string): string => {
    const names = new Set(used.map(nameOf));
    for (let count = 2; ; count += 1) {
      if (!names.has(name)) return name;
      name = name.replace(/( \d+)?$/, ` ${count}`);
    }
  };
  if (operation === 'funds.withdrawalAddresses.save')
    return { method_id: fixtures.methodId, key: fresh('cold wallet') };
  if (operation === 'funds.withdrawalAddresses.update') return { new_key: fresh('vault') };
  if (operation === 'funds.withdrawals.create') return { key: bitcoinKey(used) ?? fixtures.withdrawalAddressKey };
  return {};
}

/** The id of a resource in the API. Saved addresses have a key instead. */
function nameOf({ id, record }: SandboxResource): string {
  return (record as { key?: string }).key ?? id;
}

/** The example withdraws bitcoin. */
function bitcoinKey(used: readonly SandboxResource[]): string | undefined {
  const found = used.find(({ record }) => (record as { asset?: string }).asset === 'crypto:BTC');
  return found && nameOf(found);
}

/** An operation that goes on with the result of another one, and where it takes the id. */
interface NextStep {
  readonly operation: string;
  readonly place: string;
}

export function nextStepsOf(operation: string): NextStep[] {
  const all = { ...ORIGINS, ...USER_STEPS };
  const kinds = new Set(
    Object.values(all)
      .flatMap((origins) => origins.filter(({ maker }) => maker === operation))
      .map(({ kind }) => kind),
  );
  for (const { kind } of all[operation] ?? []) kinds.add(kind);
  kinds.delete(undefined);
  return Object.entries(all).flatMap(([name, origins]) => {
    const origin = origins.find(({ kind }) => kinds.has(kind));
    return origin === undefined || name === operation ? [] : [{ operation: name, place: origin.place }];
  });
}

/** Operations on a user. Their new forms name the user of the fixtures. */
const USER_STEPS: Readonly<Record<string, readonly Origin[]>> = {
  'users.get': [user],
  'users.verifications.submitUrl': [user],
  'users.assets.list': [user],
};

/** The kind of the resource that an operation answers, if the page can show it. */
export function kindOf(operation: string): string | undefined {
  const own = [...(ORIGINS[operation] ?? []), ...(USER_STEPS[operation] ?? [])];
  const made = Object.values({ ...ORIGINS, ...USER_STEPS })
    .flat()
    .find(({ maker, at }) => maker === operation && at === undefined);
  return (own[0] ?? made)?.kind;
}

/** Returns the text at a path of an answer. */
export function idIn(
  { body }: Pick<SendResult, 'body'>,
  at: readonly (string | number)[] = ['data', 'id'],
): string | undefined {
  const found = at.reduce<unknown>(
    (value, name) => (value as Record<string | number, unknown> | undefined)?.[name],
    body,
  );
  return typeof found === 'string' ? found : undefined;
}
