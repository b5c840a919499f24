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
export async function newDraft(api: ServiceApi, operation: Operation, given: Members): Promise<Draft> {
  const { name, parameters, body } = operation;
  const fixtures = await read<SandboxFixtures>('fixtures');
  const places = Object.entries(examples(parameters, 'path')).map(([member, example]) => {
    return [member, given[member] ?? fixtureOf(fixtures, member) ?? example];
  });
  const filled =
    body === undefined ? undefined : { ...(body.example as object), ...(await bodyFixtures(name, fixtures)) };
  const draft: Draft = {
    path: Object.fromEntries(places),
    query: examples(parameters, 'query'),
    body: filled === undefined ? undefined : JSON.stringify(filled, null, 2),
    header: {},
    open: originsOf(api, operation).filter(({ place }) => given[place.slice('path.'.length)] === undefined),
  };
  return refilled(draft);
}

/** Members that the fixtures have under another form of their name. */
const fixtureOf = (fixtures: SandboxFixtures, member: string): string | undefined =>
  ({ account_id: fixtures.accountId, user_id: fixtures.userId })[member];

/**
 * Fills the newest ids of the sandbox into fields that the user has not set. An id that still fits
 * stays. A field stays empty if there is no id yet.
 */
async function refilled(draft: Draft): Promise<Draft> {
  let next = draft;
  for (const origin of draft.open) next = withValue(next, origin.place, (await presentOf(origin, draft)) ?? '');
  return next;
}

async function presentOf({ kind, states, place }: Origin, { path }: Draft): Promise<string | undefined> {
  if (kind === undefined) return undefined;
  const found = await Promise.all(states.map((status) => resourcesOf(kind, path['account_id'], status)));
  const names = found.flat().map(nameOf);
  return names.find((name) => name === at({ path }, place)) ?? names[0];
}

/** The newest resources of an account, or of all if an operation names none. */
const resourcesOf = (kind: string, accountId: unknown, status?: string): Promise<SandboxResource[]> =>
  read(`resources/${kind}`, { accountId: accountId as string | undefined, status, limit: 100 });

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
    apiKey,
    key,
    otp,
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
  for (const origin of draft.open) {
    const operation = api.operations.find(({ name }) => name === origin.maker);
    if (operation === undefined || (await presentOf(origin, next)) !== undefined) continue;
    const made = await send(operation, await prepared(api, await newDraft(api, operation, draft.path)));
    const id = origin.kind === undefined ? idIn(made, ['data', 0, 'id']) : await presentOf(origin, next);
    if (id === undefined)
      throw new Error(`${operation.name} was answered ${made.status ?? 'nothing'}: see request ${made.seq}`);
    next = withValue(next, origin.place, id);
  }
  return next;
}

/** The source of a form's value. */
interface Origin {
  /** Path in the form: `path.quote_id`, `body.method_id`. */
  readonly place: string;
  /** The kind of resources that it is an id of. Undefined: each id comes from `maker`. */
  readonly kind: string | undefined;
  /** Only resources in these states will do. Undefined: in any. */
  readonly states: readonly (string | undefined)[];
  /** The operation that gives an id if there is none. */
  readonly maker: string | undefined;
}

/** Kinds of which a form names the resource of the seed, which has more data than a new one. */
const SEEDED: readonly unknown[] = ['accounts', 'users', 'assets'];

/** The values of a form that are ids of something in the sandbox, as the document marks them. */
function originsOf(api: ServiceApi, { parameters, body }: Operation): Origin[] {
  const members = Object.entries(api.resolved(body?.schema ?? {}).properties ?? {});
  const places = [
    ...parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [`path.${name}`, schema] as const),
    ...members.flatMap(([name, schema]) => (schema['x-listed-by'] ? [[`body.${name}`, schema] as const] : [])),
  ];
  return places.flatMap(([place, schema]): Origin[] => {
    const { 'x-id-of': of, 'x-in-state': states = [undefined], 'x-listed-by': list } = schema;
    const kind = [of ?? []].flat()[0];
    if (SEEDED.includes(kind) || (kind ?? list) === undefined) return [];
    const maker = api.operations.find(({ makes }) => makes !== undefined && makes === kind)?.name ?? list;
    return [{ place, kind, states, maker }];
  });
}

/** Members of bodies that differ by seed, or that must be new each time. */
async function bodyFixtures(operation: string, fixtures: SandboxFixtures): Promise<Readonly<Record<string, string>>> {
  if (!operation.startsWith('funds.withdrawal')) return {};
  const used = await resourcesOf('withdrawalAddresses', fixtures.accountId);
  const fresh = (name: string): string => {
    const names = new Set(used.map(nameOf));
    for (let count = 2; ; count += 1) {
      if (!names.has(name)) return name;
      name = name.replace(/( \d+)?$/, ` ${count}`);
    }
  };
  if (operation === 'funds.withdrawalAddresses.save')
    return { method_id: fixtures.methodId, key: fresh('cold wallet') };
  if (operation === 'funds.withdrawalAddresses.validate') return { method_id: fixtures.methodId };
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

/** The kind of the resource that an operation makes, or else of the one that its path names. */
export function kindOf({ makes, parameters }: Operation): string | undefined {
  const last = parameters.findLast((one) => one.in === 'path')?.schema['x-id-of'];
  return makes ?? (last === 'accounts' || typeof last !== 'string' ? undefined : last);
}

/** An operation that goes on with the result of another one. Its path takes the id as `member`. */
interface NextStep {
  readonly operation: string;
  readonly member: string;
}

export function nextStepsOf({ operations }: ServiceApi, { name }: Operation, kind: string): NextStep[] {
  return operations.flatMap((next) => {
    const taken = next.parameters.find((one) => one.in === 'path' && one.schema['x-id-of'] === kind);
    return taken === undefined || next.name === name ? [] : [{ operation: next.name, member: taken.name }];
  });
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
