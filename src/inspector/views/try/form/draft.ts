import type { SandboxResource } from '../../../../sandbox/drive/look/resources.js';
import type { SendOptions, SendResult } from '../../../../sandbox/drive/requests/send.js';
import type { SandboxFixtures } from '../../../../sandbox/kinds/seed/fixtures.js';
import { call, read } from '../../../wire/api.js';
import type { Api, Operation, Parameter } from '../document.js';
import { bodyFixtures, fixtureOf, idIn, nameOf, type Origin, originsOf } from './fixtures.js';
import { at, type Members, put } from './schemas.js';

/** A form as it is filled in. */
export interface Draft {
  /** The members of path and query by name. Those that are undefined are left out. */
  readonly path: Members;
  readonly query: Members;
  /** The text that is sent. Undefined: none. */
  readonly body: string | undefined;
  /** Empty: the first of the sandbox. */
  readonly apiKey: string;
  /** Empty: a new one each time. */
  readonly key: string;
  /** Empty: one that the sandbox takes. */
  readonly otp: string;
  /** Values that the form takes from elsewhere, unless the reader has given them. */
  readonly open: readonly Origin[];
}

const examples = (parameters: readonly Parameter[], place: Parameter['in']): Members =>
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
    ...{ apiKey: '', key: '', otp: '' },
    open: originsOf(name).filter(({ place }) => given[place.slice('path.'.length)] === undefined),
  };
  return refilled(draft);
}

/**
 * Puts the newest ids of the sandbox into what the reader has not filled in. One that still fits
 * stays. Empty where there is none yet.
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
  if (part !== 'body') return { ...draft, [part]: put(draft[part as 'path' | 'query'], rest.join('.'), value) };
  return { ...draft, body: JSON.stringify(put(JSON.parse(draft.body ?? '{}'), rest.join('.'), value), null, 2) };
}

/** Gives the reader's word for a value: nothing else is put there any more. */
export const decided = (draft: Draft, place: string): Draft => ({
  ...draft,
  open: draft.open.filter((one) => one.place !== place),
});

/** Path and query as they are sent. */
export function targetOf({ path }: Operation, draft: Draft): string {
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
  const { body, apiKey, key, otp } = draft;
  return {
    method: operation.method,
    path: targetOf(operation, draft),
    ...(body === undefined ? {} : { body: compact(body) }),
    ...(apiKey === '' ? {} : { apiKey }),
    ...(key === '' ? {} : { key }),
    ...(otp === '' ? {} : { otp }),
  };
}

/**
 * JSON without the spaces between its words. Other text stays as it is: the service says what it
 * thinks of it.
 */
export function compact(text: string): string {
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
 * Makes what a form needs and the sandbox does not have yet. Tells which operations were sent for
 * it.
 */
export async function prepared(api: Api, draft: Draft): Promise<Draft> {
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
