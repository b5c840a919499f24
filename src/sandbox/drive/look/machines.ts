import type { AnyKind } from '../../core/kind/kind.js';
import { waysOf } from '../../core/kind/states.js';
import { groupOf, movesFrom as namesFrom } from '../../core/moves.js';
import { KINDS } from '../../kinds/registry/index.js';

/** A way from one state to another. */
export interface StateTransition {
  readonly from: string;
  readonly to: string;
  /** The actors of it: operations of the API, timers, methods of the sandbox. */
  readonly by: string;
}

/** The states of a kind of resource, and the transitions between them. */
export interface StateMachine {
  readonly states: readonly string[];
  readonly initial: readonly string[];
  /** No timer and no operation leads out of them. */
  readonly terminal: readonly string[];
  readonly transitions: readonly StateTransition[];
}

type Ways = readonly (readonly [from: string, to: string, by: string])[];

interface Machine {
  readonly initial: readonly string[];
  readonly ways: Ways;
}

const MACHINES: Readonly<Record<string, Machine>> = {
  webhooks: {
    initial: ['enabled'],
    ways: [
      ['enabled', 'disabled', 'webhooks.update'],
      ['disabled', 'enabled', 'webhooks.update'],
    ],
  },
};

const machineFrom = (kind: AnyKind): Machine & { readonly name: string } => ({
  ...{ name: kind.name, initial: kind.initial ?? [] },
  ways: waysOf(kind).map(({ from, to, by }) => [from, to, by]),
});

/** Returns the states of a kind. Undefined for a kind that has none. */
export function machineOf(kind: string): StateMachine | undefined {
  const machine =
    KINDS.filter(({ stateOf }) => stateOf !== undefined)
      .map(machineFrom)
      .find(({ name }) => name === kind) ?? MACHINES[kind];
  if (machine === undefined) return undefined;
  const { initial, ways } = machine;
  const states = [...new Set([...initial, ...ways.flatMap((way) => way.slice(0, 2))])];
  const terminal = states.filter((state) => ways.every(([from]) => from !== state));
  return { states, initial, terminal, transitions: ways.map(([from, to, by]) => ({ from, to, by })) };
}

/** A method of the sandbox that the current state of a resource allows, with its arguments. */
export interface ResourceMove {
  /** For example `expire`. */
  readonly name: string;
  /** For example `quotes.expire`. */
  readonly method: string;
  /** Its arguments: those of `POST /_sandbox/quotes/expire`. */
  readonly args: readonly unknown[];
}

/** Returns the calls that a state allows. */
export function movesFrom(kind: string, id: string, status: string): ResourceMove[] {
  const defined = KINDS.find(({ name }) => name === kind);
  if (defined !== undefined) return [...movesOfKind(defined, id, status), ...offersOf(defined, id)];
  const methods = OTHER_MOVES[kind] ?? [];
  return methods.map((method) => ({ name: method.slice(method.lastIndexOf('.') + 1), method, args: [id] }));
}

function movesOfKind(kind: AnyKind, id: string, status: string): ResourceMove[] {
  return namesFrom(kind, status).flatMap((name): ResourceMove[] => {
    const method = `${groupOf(kind)}.${name}`;
    const choices = kind.moves?.[name]?.choices?.(status);
    const args = argsOf(kind, id);
    if (choices === undefined) return [{ name, method, args }];
    return choices.map((last) => ({ name: `${name} ${last}`, method, args: [...args, last] }));
  });
}

const offersOf = ({ offers = [] }: AnyKind, id: string): ResourceMove[] =>
  offers.map((method) => ({ name: method.slice(method.lastIndexOf('.') + 1), method, args: [id] }));

/** The arguments that name a resource. */
function argsOf({ isNamedByAccount }: AnyKind, id: string): readonly string[] {
  const end = id.indexOf(':');
  return isNamedByAccount === true ? [id.slice(0, end), id.slice(end + 1)] : [id];
}

const OTHER_MOVES: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['webhooks.rotateSecret', 'webhooks.remove'],
};
