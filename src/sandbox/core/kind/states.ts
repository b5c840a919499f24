import type { Expiry, Move, Step, Transition } from './kind.js';

type Stepped = Pick<Step<never, never>, 'from' | 'to' | 'after'>;
type Moved = Pick<Move<never, never>, 'from' | 'to' | 'steps'>;

/** The part of a kind that defines its states. */
export interface Machine {
  readonly name: string;
  readonly initial?: readonly string[];
  readonly steps?: Readonly<Record<string, Stepped>>;
  readonly moves?: Readonly<Record<string, Moved>>;
  readonly expiry?: Pick<Expiry<never>, 'from' | 'to'>;
  readonly transitions?: readonly Transition[];
}

/** State of a record whose kind has no states. */
export const NO_STATE = '';

/** State of a record that was removed. */
export const REMOVED = 'removed';

/** A transition, whatever makes it. */
type Way = Pick<Transition, 'from' | 'to'>;

const known = new WeakMap<Machine, readonly Way[]>();

export function transitionsOf(kind: Machine): readonly Way[] {
  let transitions = known.get(kind);
  if (transitions === undefined) {
    const { expiry, transitions: others = [] } = kind;
    transitions = [...timerWays(kind), ...(expiry === undefined ? [] : [expiry]), ...moveWays(kind), ...others];
    known.set(kind, transitions);
  }
  return transitions;
}

/** Returns the states of a kind, initial ones first. */
export function statesOf(kind: Machine): string[] {
  return [...new Set([...(kind.initial ?? []), ...transitionsOf(kind).flatMap(({ from, to }) => [from, to])])];
}

/** @throws Error if the kind has no such transition, which is a bug of the sandbox. */
export function checkTransition(kind: Machine, from: string, to: string): void {
  if (transitionsOf(kind).some((transition) => transition.from === from && transition.to === to)) return;
  throw new Error(`${kind.name}: no way leads from ${from} to ${to}`);
}

/** Returns the states that a step leads to. */
const endsOf = ({ to, after = {} }: Stepped): string[] => [...(to === undefined ? [] : [to]), ...Object.values(after)];

const waysFrom = (from: string, ends: readonly string[]): Way[] => ends.map((to) => ({ from, to }));

const timerWays = ({ steps = {} }: Machine): Way[] =>
  Object.values(steps).flatMap((step) => step.from.flatMap((from) => waysFrom(from, endsOf(step))));

const moveWays = ({ steps = {}, moves = {} }: Machine): Way[] =>
  Object.values(moves).flatMap((move) =>
    move.from.flatMap((from) => waysFrom(from, move.to === undefined ? endsFrom(from, move, steps) : [move.to])),
  );

/** A move with several steps leads to the state after the last step that changes the state. */
function endsFrom(from: string, { steps: names = [] }: Moved, steps: NonNullable<Machine['steps']>): string[] {
  let present = from;
  let ends: string[] = [];
  for (const step of names.flatMap((one) => steps[one] ?? [])) {
    if (!step.from.includes(present)) continue;
    const passed = present;
    ends = [...ends.filter((to) => to !== passed), ...endsOf(step)];
    present = step.to ?? present;
  }
  return ends;
}
