import type { Operation, Parameter, ServiceApi } from '../../parts/forms/documents.js';
import { at, type Members } from '../../parts/forms/schema.js';
import { read } from '../../wire/api.js';
import type { SandboxFixtures, SandboxResource } from '../../wire/sandbox.js';
import { type Draft, idIn, type Origin, send, withValue } from './draft.js';

/**
 * Fills in a form, so that it can be sent as it stands. `given` are the ids that the address names.
 */
export async function newDraft(api: ServiceApi, operation: Operation, given: Members): Promise<Draft> {
  const { name, parameters, body } = operation;
  const fixtures = await read<SandboxFixtures>('fixtures');
  const known: Members = { account_id: fixtures.accountId, user_id: fixtures.userId, ...given };
  const examples = (place: Parameter['in']): Members =>
    Object.fromEntries(parameters.flatMap((one) => (one.in === place ? [[one.name, one.example]] : [])));
  const path = Object.entries(examples('path')).map(([member, example]) => [member, known[member] ?? example]);
  const filled = body && { ...(body.example as object), ...(await bodyFixtures(name, fixtures)) };
  return refilled({
    path: Object.fromEntries(path),
    query: examples('query'),
    body: filled && JSON.stringify(filled, null, 2),
    header: {},
    open: originsOf(api, operation).filter(({ place }) => given[place[1]] === undefined),
  });
}

/**
 * Fills the newest ids of the sandbox into fields that the user has not set. An id that still fits
 * stays. A field stays empty if there is no id yet.
 */
async function refilled(draft: Draft): Promise<Draft> {
  let next = draft;
  for (const origin of draft.open) next = withValue(next, origin.place, (await presentOf(origin, draft)) ?? '');
  return next;
}

async function presentOf({ kind, states, place }: Origin, draft: Draft): Promise<string | undefined> {
  if (kind === undefined) return undefined;
  const found = await Promise.all(states.map((status) => resourcesOf(kind, draft.path['account_id'], status)));
  const names = found.flat().map(nameOf);
  return names.find((name) => name === at(draft, place)) ?? names[0];
}

/** The newest resources of an account, or of all if an operation names none. */
const resourcesOf = (kind: string, accountId: unknown, status?: string): Promise<SandboxResource[]> =>
  read(`resources/${kind}`, { accountId: accountId as string | undefined, status, limit: 100 });

/** The id of a resource in the API. Saved addresses have a key instead. */
const nameOf = ({ id, record }: SandboxResource): string => (record as { readonly key?: string }).key ?? id;

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
      throw new Error(`${operation.name} got ${made.status ?? 'no response'}: see request ${made.seq}`);
    next = withValue(next, origin.place, id);
  }
  return next;
}

/** Kinds of which a form names the resource of the seed, which has more data than a new one. */
const SEEDED: readonly unknown[] = ['accounts', 'users', 'assets'];

/** The values of a form that are ids of something in the sandbox, as the document marks them. */
function originsOf(api: ServiceApi, { parameters, body }: Operation): Origin[] {
  const members = Object.entries(api.resolved(body?.schema ?? {}).properties ?? {});
  const places = [
    ...parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [['path', name], schema] as const),
    ...members.flatMap(([name, schema]) => (schema['x-listed-by'] ? [[['body', name], schema] as const] : [])),
  ];
  return places.flatMap(([place, schema]): Origin[] => {
    const { 'x-id-of': of, 'x-in-state': states = [undefined], 'x-listed-by': list } = schema;
    const kind = [of ?? []].flat()[0];
    if (SEEDED.includes(kind) || (kind ?? list) === undefined) return [];
    const maker = kind && api.operations.find((one) => one['x-makes'] === kind)?.name;
    return [{ place, kind, states, maker: maker ?? list }];
  });
}

/** Members of bodies that differ by seed, or that must be new each time. */
async function bodyFixtures(
  operation: string,
  { accountId, methodId, withdrawalAddressKey }: SandboxFixtures,
): Promise<Members> {
  if (!operation.startsWith('funds.withdrawal')) return {};
  const used = await resourcesOf('withdrawalAddresses', accountId);
  const keys = new Set(used.map(nameOf));
  const fresh = (name: string, count = 2): string =>
    keys.has(name) ? fresh(name.replace(/( \d+)?$/, ` ${count}`), count + 1) : name;
  // The example withdraws bitcoin.
  const bitcoin = used.find(({ record }) => (record as { readonly asset?: string }).asset === 'crypto:BTC');
  const members: Readonly<Record<string, Members>> = {
    'funds.withdrawalAddresses.save': { method_id: methodId, key: fresh('cold wallet') },
    'funds.withdrawalAddresses.validate': { method_id: methodId },
    'funds.withdrawalAddresses.update': { new_key: fresh('vault') },
    'funds.withdrawals.create': { key: bitcoin === undefined ? withdrawalAddressKey : nameOf(bitcoin) },
  };
  return members[operation] ?? {};
}
