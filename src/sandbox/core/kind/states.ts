import type { Expiry, Move, Step, Transition } from './kind.js';

type Stepped = Pick<Step<never, never>, 'from' | 'to' | 'after'>;
type Moved = Pick<Move<never, never>, 'from' | 'to' | 'steps'>;

/** The part of a kind that defines its states. */
export interface Machine {
  readonly name: string;
  /** Name of the group of its methods. Default: its own name. */
  readonly group?: string;
  readonly initial?: readonly string[];
  readonly steps?: Readonly<Record<string, Stepped>>;
  readonly moves?: Readonly<Record<string, Moved>>;
  readonly expiry?: Pick<Expiry<never>, 'from' | 'to' | 'by'>;
  readonly transitions?: readonly Transition[];
}

/** State of a record whose kind has no states. */
export const NO_STATE = '';

/** State of a record that was removed. */
export const REMOVED = 'removed';

const known = new WeakMap<Machine, readonly Transition[]>();

/** Returns the transitions of a kind, starting from the initial states. */
export function transitionsOf(kind: Machine): readonly Transition[] {
  let transitions = known.get(kind);
  if (transitions === undefined) {
    transitions = joined([
      ...timerTransitions(kind),
      ...[kind.expiry ?? []].flat(),
      ...moveTransitions(kind),
      ...(kind.transitions ?? []),
    ]);
    known.set(kind, transitions);
  }
  return transitions;
}

/** Returns the states of a kind, initial ones first. */
export function statesOf(kind: Machine): string[] {
  return [...new Set([...(kind.initial ?? []), ...transitionsOf(kind).flatMap(({ from, to }) => [from, to])])];
}

/**
 * @throws Error if the definition of the kind has no such transition, which is a bug of the
 * sandbox.
 */
export function checkTransition(kind: Machine, from: string, to: string): void {
  if (transitionsOf(kind).some((transition) => transition.from === from && transition.to === to)) return;
  throw new Error(`${kind.name}: no way leads from ${from} to ${to}`);
}

const TIMER = 'timer';
const afterMove = (by: string, move: string): string => `${by} after ${move}`;

/** Returns the states that a step leads to, each with its cause. */
const endsOf = ({ to, after = {} }: Stepped, by: string): [to: string, by: string][] => [
  ...(to === undefined ? [] : [[to, by] as [string, string]]),
  ...Object.entries(after).map(([move, end]): [string, string] => [end, afterMove(by, move)]),
];

function timerTransitions({ steps = {} }: Machine): Transition[] {
  return Object.values(steps).flatMap((step) =>
    step.from.flatMap((from) => endsOf(step, TIMER).map(([to, by]) => ({ from, to, by }))),
  );
}

function moveTransitions({ name: kind, group = kind, steps = {}, moves = {} }: Machine): Transition[] {
  return Object.entries(moves).flatMap(([name, move]) => {
    const by = group === kind ? name : `${group}.${name}`;
    return move.from.flatMap((from) => {
      if (move.to !== undefined) return [{ from, to: move.to, by }];
      return endsFrom(from, by, move, steps).map(([to, actor]) => ({ from, to, by: actor }));
    });
  });
}

/** A move with several steps leads to the state after the last step that changes the state. */
function endsFrom(
  from: string,
  by: string,
  { steps: names = [] }: Moved,
  steps: NonNullable<Machine['steps']>,
): [to: string, by: string][] {
  let present = from;
  let ends: [string, string][] = [];
  for (const step of names.flatMap((one) => steps[one] ?? [])) {
    if (!step.from.includes(present)) continue;
    const passed = present;
    ends = [...ends.filter(([to]) => to !== passed), ...endsOf(step, by)];
    present = step.to ?? present;
  }
  return ends;
}

/** Merges transitions between the same states. */
function joined(transitions: readonly Transition[]): Transition[] {
  const found = new Map<string, Transition>();
  for (const { from, to, by } of transitions) {
    const key = `${from} ${to}`;
    const before = found.get(key)?.by;
    found.set(key, { from, to, by: before === undefined ? by : `${before}, ${by}` });
  }
  return [...found.values()];
}
