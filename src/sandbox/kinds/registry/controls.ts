import { text } from '../../core/basics/checked.js';
import { betweenTasks } from '../../core/input.js';
import { controlsOfGroup, type Group, type GroupOf, type Method } from '../../core/kind/group.js';
import type { AnyKind } from '../../core/kind/kind.js';
import { groupOf, moveOn } from '../../core/moves.js';
import type { State } from '../../core/records/state.js';
import { GROUPS, KINDS, type KindControls } from './index.js';

const names = [...new Set([...KINDS.map(groupOf), ...GROUPS.map(({ name }) => name)])];

/** The groups of all kinds that have controls; kinds that share a group are one. */
export const KIND_GROUPS: readonly Group<State>[] = names.map(groupNamed).filter(({ methods, members }) => {
  return Object.keys({ ...methods, ...members }).length > 0;
});

function groupNamed(name: string): Group<State> {
  const kinds = KINDS.filter((kind) => groupOf(kind) === name);
  const parts: readonly Partial<Group<State>>[] = [...kinds, ...GROUPS.filter((group) => group.name === name)];
  const moves = new Set(kinds.flatMap(({ moves = {} }) => Object.keys(moves)));
  const removal = parts.find((part) => part.removal !== undefined)?.removal;
  return {
    name,
    methods: Object.fromEntries([
      ...[...moves].map((move) => [move, movingMethod(move, kinds)] as const),
      ...parts.flatMap(({ methods = {} }) => Object.entries(methods)),
    ]),
    members: Object.fromEntries(parts.flatMap(({ members = {} }) => Object.entries(members))),
    ...(removal === undefined ? {} : { removal }),
  };
}

/** The method that moves a resource of one of the kinds on. */
function movingMethod(name: string, kinds: readonly AnyKind[]): Method<State> {
  const movable = kinds.filter(({ moves = {} }) => Object.hasOwn(moves, name));
  const isNamedByAccount = movable.some((kind) => kind.isNamedByAccount);
  const { idName = 'id', moves = {} } = movable.at(-1) ?? {};
  return {
    takes: { ...(isNamedByAccount ? { accountId: text } : {}), [idName]: text, ...moves[name]?.takes },
    run(state: State, ...given: readonly string[]) {
      const [accountId, id = '', ...args] = isNamedByAccount ? given : [undefined, ...given];
      return moveOn(state, movable, { name, accountId, id, args });
    },
  };
}

/** Makes the methods of all kinds. The cast is sound: each declared method has its definition. */
export const kindControls = (state: State): KindControls =>
  Object.fromEntries(
    KIND_GROUPS.map((group) => [group.name, controlsOfGroup(state, betweenTasksOf(group))]),
  ) as unknown as KindControls;

/** Lets methods and members wait for the task that runs, and then runs what is due. */
function betweenTasksOf({ name, methods = {}, members = {} }: Group<State>): GroupOf<State, object> {
  const between = <Args extends never[]>(run: (state: State, ...args: Args) => unknown) => {
    return (state: State, ...args: Args) => betweenTasks(state, () => run(state, ...args));
  };
  return {
    name,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, one]) => [method, { ...one, run: between(one.run) }]),
    ),
    members: Object.fromEntries(Object.entries(members).map(([member, read]) => [member, between(read)])),
  };
}
