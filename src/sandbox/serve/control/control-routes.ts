import { decoded } from '../../core/request/route.js';
import { RESOURCE_KINDS } from '../../drive/look/kinds.js';
import { CONTROL_GROUPS } from '../../kinds/registry/controls.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Filter } from './control-filters.js';
import type { ControlRequest } from './control-messages.js';

type Method = (...args: never[]) => unknown;
type MethodNames<Group> = { [Name in keyof Group]: Group[Name] extends Method ? Name : never }[keyof Group];

/**
 * Argument names by method; an optional one ends with `?`. A table without one of the methods does
 * not compile.
 */
type MethodTable<Group> = { readonly [Name in MethodNames<Group>]: readonly string[] };

type GroupName =
  | 'requests'
  | 'checks'
  | 'keys'
  | 'idempotency'
  | 'resources'
  | 'postings'
  | 'books'
  | 'clock'
  | 'faults'
  | 'outcomes'
  | 'latency'
  | 'quota'
  | 'executionTimes'
  | 'webhooks'
  | 'inbox';

/** Groups, including nested ones. */
interface Groups extends Pick<Sandbox, GroupName> {
  readonly 'webhooks.faults': Sandbox['webhooks']['faults'];
}

const GROUPS: { readonly [Name in keyof Groups]: MethodTable<Groups[Name]> } = {
  requests: {
    ...{ list: ['filter?'], get: ['seq'], clear: [], replay: ['seq', 'options?'], send: ['options'] },
    ...{ expect: ['matcher', 'options?'], waitFor: ['matcher', 'options?'] },
  },
  checks: { run: [] },
  keys: {
    list: [],
    issue: ['options?'],
    revoke: ['apiKey'],
    reinstate: ['apiKey'],
    setScopes: ['apiKey', 'scopes'],
    setQuota: ['apiKey', 'quota'],
    setNonceWindow: ['apiKey', 'nonceWindow'],
    rotateSecret: ['apiKey'],
  },
  idempotency: { list: ['filter?'], forget: ['key'] },
  resources: { kinds: [], list: ['kind', 'filter?'], get: ['kind', 'id'] },
  postings: { list: ['filter?'] },
  books: { check: [], holdings: ['accountId'] },
  clock: {
    ...{ now: [], status: [], advance: ['ms', 'options?'], set: ['time'], next: [], stop: [], start: [] },
    agenda: ['filter?'],
  },
  faults: { add: ['options'], chaos: ['probability'], list: [], remove: ['id'], clear: [] },
  outcomes: { add: ['options'], list: [], known: [], remove: ['id'], clear: [] },
  latency: { set: ['options'], list: [], remove: ['id'], clear: [] },
  quota: { set: ['quota'], level: [], clear: [] },
  executionTimes: { set: ['times'], get: [], clear: [] },
  webhooks: {
    register: ['input'],
    update: ['webhookId', 'change'],
    rotateSecret: ['webhookId', 'options?'],
    remove: ['webhookId'],
    redeliver: ['deliveryId'],
    retryFailed: [],
    idle: [],
    list: [],
    listDeliveries: ['filter?'],
    deliverySummaries: ['filter?'],
    secrets: ['webhookId'],
    samples: [],
    trigger: ['kind', 'overrides?', 'options?'],
    verify: ['input'],
    verifyDelivery: ['deliveryId'],
    disableAfter: ['attempts'],
  },
  'webhooks.faults': { add: ['options'], list: [], remove: ['id'], clear: [] },
  inbox: { url: ['name?'], list: ['filter?'], answer: ['options'], answers: [], clear: [] },
};

/** The methods outside the groups. */
const FLAT_METHODS = {
  reset: [],
  restore: ['snapshot'],
} as const satisfies Partial<MethodTable<Sandbox>>;

/**
 * Methods that wait. They also get a signal that aborts when their caller closes the connection.
 */
const WAITING: ReadonlySet<string> = new Set(['requests.expect', 'requests.waitFor']);

/** The part of a request that a method may need. */
export type Caller = Pick<ControlRequest, 'signal'>;

export interface ControlMethod {
  /** For example `faults.add`. */
  readonly name: string;
  readonly args: readonly string[];
  /** Number of required arguments. */
  readonly needed: number;
  call(sandbox: Sandbox, args: readonly unknown[], caller: Caller): unknown;
}

/** The methods by path, called with POST. */
export const METHODS: ReadonlyMap<string, ControlMethod> = new Map([
  ...Object.entries(FLAT_METHODS).map(([name, args]) => entryOf(name, name, args, (sandbox) => sandbox)),
  ...[...Object.entries(GROUPS), ...CONTROL_GROUPS.map(({ name, methods }) => [name, methods] as const)].flatMap(
    ([group, methods]) =>
      Object.entries(methods).map(([name, args]) =>
        entryOf(`${group}.${name}`, name, args, (sandbox) => groupOf(sandbox, group)),
      ),
  ),
]);

function groupOf(sandbox: Sandbox, group: string): object {
  return group
    .split('.')
    .reduce<object>((owner, name) => (owner as Readonly<Record<string, object>>)[name] ?? owner, sandbox);
}

function entryOf(
  name: string,
  member: string,
  table: readonly string[],
  ownerIn: (sandbox: Sandbox) => object,
): [path: string, method: ControlMethod] {
  const args = table.map((arg) => arg.replace('?', ''));
  const needed = table.filter((arg) => !arg.endsWith('?')).length;
  const call = (sandbox: Sandbox, given: readonly unknown[], { signal }: Caller): unknown => {
    const owner = ownerIn(sandbox) as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    if (!WAITING.has(name)) return owner[member]?.(...given);
    return owner[member]?.(...args.map((_, index) => given[index]), signal);
  };
  return [name.replaceAll('.', '/'), { name, args, needed, call }];
}

type Read = (sandbox: Sandbox, filter: Filter) => unknown;

/** Members that are served for GET, by path. `FILTERS` contains their filters. */
export const READABLE: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['credentials', (sandbox) => sandbox.credentials],
  ['fixtures', (sandbox) => sandbox.fixtures],
  ['journal', (sandbox, filter) => sandbox.requests.list(filter)],
  ['requests', (sandbox, filter) => sandbox.requests.list(filter)],
  ['snapshot', (sandbox) => sandbox.snapshot()],
  ['checks', (sandbox) => sandbox.checks.run()],
  ['health', (sandbox) => sandbox.health()],
  ['resources', (sandbox) => sandbox.resources.kinds()],
  ...RESOURCE_KINDS.map((kind): [string, Read] => [
    `resources/${kind}`,
    (sandbox, filter) => sandbox.resources.list(kind, filter),
  ]),
  ['postings', (sandbox, filter) => sandbox.postings.list(filter)],
  ['postings/gone', (sandbox) => sandbox.postings.gone],
  ['books/check', (sandbox) => sandbox.books.check()],
  ['clock/agenda', (sandbox, filter) => sandbox.clock.agenda(filter)],
  ['clock', (sandbox) => sandbox.clock.status()],
  ['clock/now', (sandbox) => sandbox.clock.now()],
  ['keys', (sandbox) => sandbox.keys.list()],
  ['idempotency', (sandbox, filter) => sandbox.idempotency.list(filter)],
  ['faults', (sandbox) => sandbox.faults.list()],
  ['outcomes', (sandbox) => sandbox.outcomes.list()],
  ['outcomes/known', (sandbox) => sandbox.outcomes.known()],
  ['latency', (sandbox) => sandbox.latency.list()],
  ['quota', (sandbox) => sandbox.quota.level()],
  ['executionTimes', (sandbox) => sandbox.executionTimes.get()],
  ['otp', (sandbox) => sandbox.otp.get()],
  ['webhooks', (sandbox) => sandbox.webhooks.list()],
  ['webhooks/deliveries', (sandbox, filter) => sandbox.webhooks.listDeliveries(filter)],
  ['webhooks/deliverySummaries', (sandbox, filter) => sandbox.webhooks.deliverySummaries(filter)],
  ['webhooks/samples', (sandbox) => sandbox.webhooks.samples()],
  ['webhooks/faults', (sandbox) => sandbox.webhooks.faults.list()],
  ['inbox', (sandbox, filter) => sandbox.inbox.list(filter)],
  ['inbox/url', (sandbox, { name }) => sandbox.inbox.url(name as string | undefined)],
  ['inbox/answers', (sandbox) => sandbox.inbox.answers()],
  ...CONTROL_GROUPS.flatMap(({ name, methods, members }): [string, Read][] => [
    ...(Object.hasOwn(methods, 'list') ? [[name, (sandbox: Sandbox) => listOf(sandbox, name)] as [string, Read]] : []),
    ...members.map((member): [string, Read] => [
      `${name}/${member}`,
      (sandbox) => memberOf(groupOf(sandbox, name), member),
    ]),
  ]),
]);

const memberOf = (owner: object, name: string): unknown => (owner as Readonly<Record<string, unknown>>)[name];

/** Returns the items of the `list` of a group. */
const listOf = (sandbox: Sandbox, group: string): readonly object[] =>
  (groupOf(sandbox, group) as { list(): readonly object[] }).list();

type ReadOne = (sandbox: Sandbox, id: string) => unknown;

/** Collections whose items are served at `<collection>/<id>`. */
export const COLLECTIONS: ReadonlyMap<string, ReadOne> = new Map<string, ReadOne>([
  ['journal', (sandbox, seq) => sandbox.requests.get(Number(seq))],
  ['requests', (sandbox, seq) => sandbox.requests.get(Number(seq))],
  ['keys', (sandbox, id) => sandbox.keys.list().find((key) => key.apiKey === id)],
  ['idempotency', (sandbox, id) => sandbox.idempotency.list({ key: id })[0]],
  ...RESOURCE_KINDS.map((kind): [string, ReadOne] => [
    `resources/${kind}`,
    (sandbox, id) => sandbox.resources.get(kind, decoded(id)),
  ]),
  ['books/holdings', (sandbox, id) => sandbox.resources.get('accounts', id)?.holdings],
  ['faults', (sandbox, id) => sandbox.faults.list().find((fault) => fault.id === id)],
  ['outcomes', (sandbox, id) => sandbox.outcomes.list().find((outcome) => outcome.id === id)],
  ['latency', (sandbox, id) => sandbox.latency.list().find((delay) => delay.id === id)],
  ['webhooks', (sandbox, id) => sandbox.webhooks.list().find((webhook) => webhook.id === id)],
  ['webhooks/faults', (sandbox, id) => sandbox.webhooks.faults.list().find((fault) => fault.id === id)],
  ['inbox', (sandbox, id) => sandbox.inbox.list().find((message) => message.id === id)],
  ['webhooks/secrets', (sandbox, id) => sandbox.webhooks.secrets(id)],
  ['webhooks/verifyDelivery', (sandbox, id) => sandbox.webhooks.verifyDelivery(id)],
  ...CONTROL_GROUPS.flatMap(({ name, listId }): [string, ReadOne][] =>
    listId === undefined
      ? []
      : [[name, (sandbox, id) => listOf(sandbox, name).find((item) => memberOf(item, listId) === decoded(id))]],
  ),
  ['webhooks/deliveries', (sandbox, id) => sandbox.webhooks.listDeliveries().find((one) => one.id === id)],
]);

/** The methods that `DELETE <collection>/<id>` calls with the id, by collection. */
export const REMOVALS: ReadonlyMap<string, string> = new Map([
  ['faults', 'faults/remove'],
  ['webhooks', 'webhooks/remove'],
  ['webhooks/faults', 'webhooks/faults/remove'],
  ['keys', 'keys/revoke'],
  ['idempotency', 'idempotency/forget'],
  ['outcomes', 'outcomes/remove'],
  ['latency', 'latency/remove'],
  ...CONTROL_GROUPS.flatMap(({ name, removal }) =>
    removal === undefined ? [] : [[name, `${name}/${removal}`] as const],
  ),
]);
