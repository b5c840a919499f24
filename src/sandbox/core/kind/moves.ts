import * as z from 'zod/mini';
import type { StepTask } from '../clock/task.js';
import { betweenTasks, checked, text } from '../input.js';
import type { State } from '../records/state.js';
import { find } from './find.js';
import type { Found, Kind, Move, Owner } from './kind.js';
import type { Machine } from './states.js';

/** A method of the controls: the id of the resource, then what the move takes. */
type MoveMethod = (id: unknown, ...args: unknown[]) => unknown;

/** Makes the methods of a kind: those that move a resource on. */
export function moveMethods<R, Of extends Owner>(state: State, kind: Kind<R, Of>): Record<string, MoveMethod> {
  const methods = Object.entries(kind.moves ?? {}).map(([name, move]): [string, MoveMethod] => [
    name,
    (id, ...args) => betweenTasks(state, () => run(state, kind, { name, move, id, args })),
  ]);
  return Object.fromEntries(methods);
}

interface Call<R, Of extends Owner> {
  readonly name: string;
  readonly move: Move<R, Of>;
  readonly id: unknown;
  readonly args: readonly unknown[];
}

function run<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  { name, move, id: given, args }: Call<R, Of>,
): unknown {
  const method = `${kind.name}.${name}`;
  const id = checked(method, text, given);
  const taken = Object.values(move.takes ?? {}).map((schema, index) => checked(method, schema, args[index]));
  const found = find(state, kind, id);
  if (found === undefined) throw new Error(`${method}: there is no ${kind.noun} ${id}`);
  checkMove(kind, name, found);
  for (const step of move.steps ?? []) runNow(state, kind, step, id);
  if (move.run !== undefined) return move.run(state, found, ...(taken as never[]));
  const { record } = find(state, kind, id) ?? found;
  return kind.shown(record, state, found.account);
}

/** Returns the names of the moves that a state allows, for example `expire`. */
export function movesFrom(kind: Pick<Machine, 'moves'>, state: string): string[] {
  return Object.entries(kind.moves ?? {}).flatMap(([name, { from }]) => (from.includes(state) ? [name] : []));
}

/** @throws Error that names the present state and what it allows, if it does not allow the move. */
function checkMove<R, Of extends Owner>(kind: Kind<R, Of>, name: string, { id, record }: Found<R, Of>): void {
  const present = kind.stateOf?.(record) ?? '';
  const allowed = movesFrom(kind, present);
  if (allowed.includes(name)) return;
  const methods = allowed.map((one) => `${kind.name}.${one}`).join(', ');
  const rest = allowed.length === 0 ? ' already' : `; it allows ${methods}`;
  throw new Error(`${kind.name}.${name}: the ${kind.noun} ${id} is ${present}${rest}`);
}

/** Runs a step of a record now, in place of the planned one. */
function runNow<R, Of extends Owner>(state: State, kind: Kind<R, Of>, step: string, id: string): void {
  state.clock.drop((task) => task.kind === 'step' && task.step === step && task.id === id);
  runStep(state, kind, step, id);
}

/**
 * Runs a step of a record that is there and in a state in which the step runs.
 *
 * @param of The id of its account, if that is known.
 */
export function runStep<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  name: string,
  id: string,
  of?: string,
): void {
  const step = kind.steps?.[name];
  const found = find(state, kind, id, of);
  if (step === undefined || found === undefined) return;
  if (step.from.includes(kind.stateOf?.(found.record) ?? '')) step.run(state, found);
}

/** Plans a step of a record, `ms` from now. */
export function plan(
  state: State,
  step: string,
  { account, id }: Pick<Found<unknown, Owner>, 'account' | 'id'>,
  ms: number,
): void {
  const task: StepTask = { kind: 'step', step, id, ...(account === undefined ? {} : { account: account.id }) };
  state.clock.plan(state.clock.now() + ms, task);
}

/** An optional text of a move, for example the reason of a failure. */
export const optionalText = z.optional(text);
