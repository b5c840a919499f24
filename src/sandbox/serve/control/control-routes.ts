import { isOptional, type Method } from '../../core/kind/group.js';
import { decoded } from '../../core/request/route.js';
import { CONTROL_GROUPS } from '../../drive/controls.js';
import { RESOURCE_KINDS } from '../../drive/look/kinds.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { type Filter, type FilterTable, filtersOf, isNumber } from './control-filters.js';
import type { ControlRequest } from './control-messages.js';

/** The part of a request that a method may need. */
export type Caller = Pick<ControlRequest, 'signal'>;

export interface ControlMethod {
  /** For example `faults.add`. */
  readonly name: string;
  readonly args: readonly string[];
  /** Number of required arguments. */
  readonly needed: number;
  call(sandbox: Sandbox, args: readonly unknown[], caller?: Caller): unknown;
}

/** A method of a group and its routes. */
interface Route {
  readonly path: string;
  readonly method: ControlMethod;
  readonly takes: NonNullable<Method<never>['takes']>;
  /** The path at which GET calls it. Undefined: only POST does. */
  readonly readAt: string | undefined;
  /** Of a list: the member of its items that contains their ids. */
  readonly id: string | undefined;
}

const pathOf = (name: string): string => name.replaceAll('.', '/');

const memberOf = (owner: object, name: string): unknown => (owner as Readonly<Record<string, unknown>>)[name];

/** Returns a group of the sandbox by its name, for example `webhooks.faults`. */
const groupIn = (sandbox: Sandbox, name: string): object =>
  name.split('.').reduce<object>((owner, part) => memberOf(owner, part) as object, sandbox);

function routeOf(group: string, name: string, definition: Method<never>): Route {
  const { takes = {}, get, id, waits } = definition;
  const args = Object.keys(takes);
  const needed = Object.values(takes).filter((schema) => !isOptional(schema)).length;
  const call: ControlMethod['call'] = (sandbox, given, caller) => {
    const owner = groupIn(sandbox, group) as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    return waits ? owner[name]?.(...args.map((_, index) => given[index]), caller?.signal) : owner[name]?.(...given);
  };
  const below = get ?? (name === 'list' && needed === 0 ? '' : undefined);
  return {
    path: pathOf(`${group}.${name}`),
    method: { name: `${group}.${name}`, args, needed, call },
    takes,
    readAt: below === undefined ? undefined : pathOf(below === '' ? group : `${group}.${below}`),
    id,
  };
}

const ROUTES: readonly Route[] = CONTROL_GROUPS.flatMap(({ name: group, methods = {} }) =>
  Object.entries(methods).map(([name, definition]) => routeOf(group, name, definition)),
);

const routeAt = (path: string): Route => ROUTES.find((route) => route.path === path) as Route;

/** The methods outside the groups. */
const FLAT_METHODS: readonly ControlMethod[] = [
  { name: 'reset', args: [], needed: 0, call: (sandbox) => sandbox.reset() },
  {
    name: 'restore',
    args: ['snapshot'],
    needed: 1,
    call: (sandbox, [snapshot]) => sandbox.restore(snapshot as Parameters<Sandbox['restore']>[0]),
  },
];

/** The methods by path, called with POST. */
export const METHODS: ReadonlyMap<string, ControlMethod> = new Map(
  [...FLAT_METHODS, ...ROUTES.map(({ method }) => method)].map((method) => [pathOf(method.name), method]),
);

/** What GET reads at a path. */
interface Reading {
  /** The members of the query. */
  readonly filters: FilterTable;
  readonly read: (sandbox: Sandbox, filter: Filter) => unknown;
  /** The path of the method that reads the same. Undefined: a member is read. */
  readonly same?: string;
}

/** Calls a method that needs no further argument with what the query has. */
function readingOf({ path, method, takes }: Route, bound: readonly unknown[] = []): Reading {
  const optional = Object.entries(takes).slice(bound.length);
  return {
    filters: Object.assign({}, ...optional.map(([name, schema]) => filtersOf(name, schema))),
    read: (sandbox, filter) =>
      method.call(sandbox, [...bound, ...optional.map(([name]) => (name === 'filter' ? filter : filter[name]))]),
    same: path,
  };
}

const reading = (read: (sandbox: Sandbox) => unknown): Reading => ({ filters: {}, read });

/** What GET reads, by path. */
export const READABLE: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['credentials', reading((sandbox) => sandbox.credentials)],
  ['fixtures', reading((sandbox) => sandbox.fixtures)],
  ['snapshot', reading((sandbox) => sandbox.snapshot())],
  ['health', reading((sandbox) => sandbox.health())],
  ['journal', readingOf(routeAt('requests/list'))],
  ...ROUTES.flatMap((route): [string, Reading][] =>
    route.readAt === undefined || route.method.needed > 0 ? [] : [[route.readAt, readingOf(route)]],
  ),
  ...RESOURCE_KINDS.map((kind): [string, Reading] => [
    `resources/${kind}`,
    readingOf(routeAt('resources/list'), [kind]),
  ]),
  ...CONTROL_GROUPS.flatMap(({ name, members = {} }) =>
    Object.keys(members).map((member): [string, Reading] => [
      `${pathOf(name)}/${member}`,
      reading((sandbox) => memberOf(groupIn(sandbox, name), member)),
    ]),
  ),
]);

/** How the items of a collection are read by their ids. */
interface Collection {
  /** The path of the method that reads them. */
  readonly path: string;
  /** True if the method reads all, of which one is found. */
  readonly isItemOfList?: true;
  readonly readOne: (sandbox: Sandbox, id: string) => unknown;
}

/** Reads an item by the method whose last argument is its id. */
function itemOf({ path, method, takes }: Route, ...bound: readonly unknown[]): Collection {
  const schema = Object.values(takes).at(-1);
  const argument = (id: string) => (isNumber(schema) ? Number(id) : decoded(id));
  return { path, readOne: (sandbox, id) => method.call(sandbox, [...bound, argument(id)]) };
}

/** Finds an item among those that the method lists. A UUID may have letters of either case. */
function listed({ path, method }: Route, idName: string): Collection {
  const items = (sandbox: Sandbox) => method.call(sandbox, []) as readonly object[];
  const sameText = (one: unknown) => String(one).toLowerCase();
  const readOne: Collection['readOne'] = (sandbox, id) =>
    items(sandbox).find((item) => sameText(memberOf(item, idName)) === sameText(decoded(id)));
  return { path, isItemOfList: true, readOne };
}

/** Collections whose items are served at `<collection>/<id>`. */
export const COLLECTIONS: ReadonlyMap<string, Collection> = new Map<string, Collection>([
  ['journal', itemOf(routeAt('requests/get'))],
  ...ROUTES.flatMap((route): [string, Collection][] => {
    const { method, readAt, id } = route;
    if (readAt === undefined || (method.needed === 0 && id === undefined)) return [];
    return [[readAt, method.needed === 1 || id === undefined ? itemOf(route) : listed(route, id)]];
  }),
  ...RESOURCE_KINDS.map((kind): [string, Collection] => [`resources/${kind}`, itemOf(routeAt('resources/get'), kind)]),
]);

/** The paths of the methods that `DELETE <collection>/<id>` calls with the id, by collection. */
export const REMOVALS: ReadonlyMap<string, string> = new Map(
  CONTROL_GROUPS.flatMap(({ name, removal }) =>
    removal === undefined ? [] : [[pathOf(name), pathOf(`${name}.${removal}`)] as const],
  ),
);

/** Returns the path of the method that GET calls for a path. Undefined: there is none. */
export const readingMethod = (path: string): string | undefined => READABLE.get(path)?.same;

/** The readable path of each method that GET calls. `requests/list` is read at `requests`. */
const READABLE_PATHS: ReadonlyMap<string, string> = new Map(
  ROUTES.flatMap(({ path, readAt = '' }) => (readingMethod(readAt) === path ? [[path, readAt] as const] : [])),
);

/** The paths of methods that are also served for GET. */
export const READ_METHODS: readonly string[] = [...READABLE_PATHS.keys()];

/** Returns the path of the member that GET reads. Undefined if GET reads nothing there. */
export const readablePath = (path: string): string | undefined =>
  READABLE.has(path) ? path : READABLE_PATHS.get(path);

/** Returns the method that POST calls. What GET reads is called with its filter. */
export function methodAt(path: string): ControlMethod | undefined {
  const readable = READABLE.get(path);
  const method = METHODS.get(readable?.same ?? path);
  if (readable === undefined || method?.needed === 0) return method;
  return {
    name: path.replaceAll('/', '.'),
    args: Object.keys(readable.filters).length > 0 ? ['filter'] : [],
    needed: 0,
    call: (sandbox, [filter = {}]) => readable.read(sandbox, filter as Filter),
  };
}
