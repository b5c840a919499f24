import type * as z from 'zod/mini';
import { betweenTasks } from '../../core/input.js';
import type { AnyKind } from '../../core/kind/kind.js';
import { groupOf, moveOn } from '../../core/moves.js';
import type { State } from '../../core/records/state.js';
import { GROUPS, KINDS, type KindControls } from './index.js';

/** The methods and members of one group, of all kinds that share it. */
interface ControlGroup {
  readonly name: string;
  /** Names of the arguments, by method; an optional one ends with `?`. */
  readonly methods: Readonly<Record<string, readonly string[]>>;
  readonly members: readonly string[];
  /** Member of a `list` item that contains its id. Undefined: the group has no list. */
  readonly listId: string | undefined;
  readonly removal: string | undefined;
}

const partsOf = (group: string) => [
  ...KINDS.filter((kind) => groupOf(kind) === group),
  ...GROUPS.filter(({ name }) => name === group),
];

const names = [...new Set([...KINDS.map(groupOf), ...GROUPS.map(({ name }) => name)])];

/** The groups of all kinds, as the control plane serves them. */
export const CONTROL_GROUPS: readonly ControlGroup[] = names.map((name) => {
  const parts = partsOf(name);
  const moves = KINDS.filter((kind) => groupOf(kind) === name).flatMap(
    ({ idName = 'id', isNamedByAccount, moves: own = {} }) =>
      Object.entries(own).map(([move, { takes = {} }]) => {
        const names = isNamedByAccount ? ['accountId', idName] : [idName];
        return [move, [...names, ...namesOf(takes)]] as const;
      }),
  );
  const methods = parts.flatMap(({ methods: own = {} }) => Object.entries(own));
  return {
    name,
    methods: Object.fromEntries([...moves, ...methods.map(([method, { takes }]) => [method, takes] as const)]),
    members: parts.flatMap(({ members = {} }) => Object.keys(members)),
    listId: methods.find(([method]) => method === 'list')?.[1].id,
    removal: parts.find(({ removal }) => removal !== undefined)?.removal,
  };
});

/** Returns the names of the arguments; an optional one ends with `?`. */
function namesOf(takes: Readonly<Record<string, z.core.$ZodType>>): string[] {
  return Object.entries(takes).map(([name, { _zod }]) => (_zod.optin === 'optional' ? `${name}?` : name));
}

/** Makes the methods of all kinds. The cast is sound: each declared method has its definition. */
export const kindControls = (state: State): KindControls =>
  Object.fromEntries(
    names.filter((name) => partsOf(name).some(hasControls)).map((name) => [name, groupOfState(state, name)]),
  ) as unknown as KindControls;

const hasControls = (part: Partial<AnyKind>): boolean =>
  part.moves !== undefined || part.methods !== undefined || part.members !== undefined;

function groupOfState(state: State, group: string): object {
  const parts = partsOf(group);
  const kinds = KINDS.filter((kind) => groupOf(kind) === group);
  const made: Record<string, unknown> = {};
  for (const name of new Set(kinds.flatMap(({ moves = {} }) => Object.keys(moves)))) {
    const movable = kinds.filter(({ moves = {} }) => Object.hasOwn(moves, name));
    const isNamedByAccount = movable.some((kind) => kind.isNamedByAccount);
    made[name] = (...given: unknown[]) => {
      const [of, id, ...args] = isNamedByAccount ? given : [undefined, ...given];
      return betweenTasks(state, () => moveOn(state, movable, { name, of, id, args }));
    };
  }
  for (const { methods = {}, members = {} } of parts) {
    for (const [name, { run }] of Object.entries(methods)) {
      made[name] = (...args: never[]) => betweenTasks(state, () => run(state, ...args));
    }
    for (const [name, read] of Object.entries(members)) {
      Object.defineProperty(made, name, { enumerable: true, get: () => betweenTasks(state, () => read(state)) });
    }
  }
  return made;
}
