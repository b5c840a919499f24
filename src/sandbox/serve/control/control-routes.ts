import * as z from 'zod/mini';
import { isOptional, type Method } from '../../core/kind/group.js';
import { decoded } from '../../core/request/route.js';
import { CONTROL_GROUPS } from '../../drive/controls.js';
import { RESOURCE_KINDS } from '../../drive/look/kinds.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { type FilterTable, filtersOf, isNumber } from './control-filters.js';

/** A method or another member of the sandbox. */
export interface ControlMethod {
  /** For example `troubles.add`. */
  readonly name: string;
  readonly args: readonly string[];
  /** Number of required arguments. */
  readonly needed: number;
  /** The query of GET, if it is read. */
  readonly filters: FilterTable;
  call(sandbox: Sandbox, args: readonly unknown[], signal?: AbortSignal): unknown;
}

/** What POST calls, by path; what GET reads; and what it reads at `<collection>/<id>`. */
export const METHODS = new Map<string, ControlMethod>();
export const READABLE = new Map<string, ControlMethod>();
export const COLLECTIONS = new Map<string, (sandbox: Sandbox, id: string) => unknown>();

/** @param group `''`: a member of the sandbox itself. */
function add(group: string, member: string, { takes = {}, get, id: idName }: Partial<Method<never>>): void {
  const args = Object.entries(takes);
  const needed = args.filter(([, schema]) => !isOptional(schema)).length;
  const call: ControlMethod['call'] = (sandbox, given, signal) => {
    const owner = group === '' ? sandbox : Reflect.get(sandbox, group);
    const found = Reflect.get(owner, member);
    return typeof found === 'function' ? found.call(owner, ...args.map((_, index) => given[index]), signal) : found;
  };
  const filters = filtersOf(args.slice(needed));
  const method = { name: [group, member].filter(Boolean).join('.'), args: Object.keys(takes), needed, filters, call };
  METHODS.set(method.name.replace('.', '/'), method);
  const below = get ?? (member === 'list' && needed === 0 ? '' : undefined);
  if (below === undefined) return;
  const path = [group, below].filter(Boolean).join('/');
  const idIn = (id: string) => (isNumber(args.at(-1)?.[1]) ? Number(id) : decoded(id));
  if (needed === 0) READABLE.set(path, method);
  else COLLECTIONS.set(path, (sandbox, id) => call(sandbox, [idIn(id)]));
  if (idName === undefined) return;
  // A UUID may have letters of either case.
  const isNamed = (item: object, id: string) => String(Reflect.get(item, idName)).toLowerCase() === id.toLowerCase();
  COLLECTIONS.set(path, (sandbox, id) => (call(sandbox, []) as object[]).find((item) => isNamed(item, decoded(id))));
}

add('', 'reset', {});
add('', 'restore', { takes: { snapshot: z.unknown() } });
for (const name of ['credentials', 'fixtures', 'snapshot', 'health']) add('', name, { get: name });
for (const { name, methods = {}, members = {} } of CONTROL_GROUPS) {
  for (const [method, definition] of Object.entries(methods)) add(name, method, definition);
  for (const member of Object.keys(members)) add(name, member, { get: member });
}
READABLE.set('journal', METHODS.get('requests/list') as ControlMethod);
COLLECTIONS.set('journal', (sandbox, id) => sandbox.requests.get(Number(id)));
const list = METHODS.get('resources/list') as ControlMethod;
for (const kind of RESOURCE_KINDS) {
  const call: ControlMethod['call'] = (sandbox, [filter]) => list.call(sandbox, [kind, filter]);
  READABLE.set(`resources/${kind}`, { ...list, name: `resources.${kind}`, args: ['filter'], needed: 0, call });
  COLLECTIONS.set(`resources/${kind}`, (sandbox, id) => sandbox.resources.get(kind, decoded(id)));
}
