import { excerpt } from './basics/excerpt.js';
import { isStep, type StepData, type StepTask } from './clock/task.js';
import { accountNamed } from './input.js';
import { find } from './kind/find.js';
import type { AnyKind, Failing, Found, Kind, Owner } from './kind/kind.js';
import { type Machine, NO_STATE } from './kind/states.js';
import { change, findNow } from './mutations.js';
import type { State } from './records/state.js';

/** Returns the name of the group that contains a kind's methods. */
export const groupOf = ({ group, name }: { readonly group?: string; readonly name: string }): string => group ?? name;

interface Call {
  /** Name of the move, for example `expire`. */
  readonly name: string;
  readonly id: string;
  /** Only for a kind whose ids are unique within one account only. */
  readonly accountId: string | undefined;
  readonly args: readonly unknown[];
}

/**
 * Moves a resource on: finds it by its id among these kinds, whose group has the method.
 *
 * @throws Error for an unknown id, and if the resource's state does not allow the move.
 */
export function moveOn(state: State, kinds: readonly AnyKind[], call: Call): unknown {
  const { name, id, accountId } = call;
  const [first] = kinds;
  const method = `${first === undefined ? '' : groupOf(first)}.${name}`;
  const account = accountId === undefined ? undefined : accountNamed(state, method, accountId);
  const kind = kinds.find((one) => find(state, one, id, account?.id) !== undefined);
  if (kind === undefined) {
    throw new Error(
      `${method}: ${account === undefined ? 'there is' : 'the account has'} no ${first?.noun} ${excerpt(id)}`,
    );
  }
  return run(state, kind, call);
}

function run<R, Of extends Owner>(state: State, kind: Kind<R, Of>, { name, id, accountId, args }: Call): unknown {
  const { steps = [], check, run: own } = kind.moves?.[name] ?? {};
  const found = findNow(state, kind, id, accountId);
  if (found === undefined) return undefined;
  checkMove(kind, name, found);
  check?.(found);
  for (const step of steps) runNow(state, kind, step, found);
  if (own !== undefined) return own(state, found, ...(args as never[]));
  const { record } = find(state, kind, id, accountId) ?? found;
  return (kind.returned ?? kind.shown)(record, state, found.account);
}

/** Returns the names of the moves that a state allows, for example `expire`. */
export function movesFrom(kind: Pick<Machine, 'moves'>, state: string): string[] {
  return Object.entries(kind.moves ?? {}).flatMap(([name, { from }]) => (from.includes(state) ? [name] : []));
}

/** @throws Error that names the state and its moves, if the move is not among them. */
function checkMove<R, Of extends Owner>(kind: Kind<R, Of>, name: string, { id, record }: Found<R, Of>): void {
  const present = kind.stateOf?.(record) ?? NO_STATE;
  const allowed = movesFrom(kind, present);
  if (allowed.includes(name)) return;
  const group = groupOf(kind);
  const methods = allowed.map((one) => `${group}.${one}`).join(', ');
  const rest = allowed.length === 0 ? ' already' : `; it allows ${methods}`;
  throw new Error(`${group}.${name}: the ${kind.noun} ${id} is ${present}${rest}`);
}

/** Runs a step of a record now, instead of the scheduled one. */
export function runNow<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  step: string,
  { id, account }: Pick<Found<R, Of>, 'id' | 'account'>,
): void {
  dropStep(state, step, id);
  runStep(state, kind, step, id, account?.id);
}

export function willFail<R extends Failing, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  found: Found<R, Of>,
): void {
  change(state, kind, found, { ...found.record, fails: true });
}

export function dropStep({ clock }: State, step: string, id: string): void {
  clock.drop((task) => isStep(task, step, id));
}

/**
 * Runs a step of a record, if the record exists and its state allows the step.
 *
 * @param of Id of the account, if it is known.
 * @param data Data that was given when the step was scheduled.
 */
export function runStep<R, Of extends Owner>(
  state: State,
  kind: Kind<R, Of>,
  name: string,
  id: string,
  of?: string,
  data: StepData = {},
): void {
  const step = kind.steps?.[name];
  const found = find(state, kind, id, of);
  if (step === undefined || found === undefined) return;
  if (step.from.includes(kind.stateOf?.(found.record) ?? NO_STATE)) step.run(state, found, data);
}

/** Schedules a step of a record, `ms` from now. `data` is what the step needs beside the record. */
export function scheduleStep(
  state: State,
  step: string,
  { account, id }: Pick<Found<unknown, Owner>, 'account' | 'id'>,
  ms: number,
  data?: StepData,
): void {
  const of = account === undefined ? {} : { account: account.id };
  const task: StepTask = { kind: 'step', step, id, ...of, ...(data === undefined ? {} : { data }) };
  state.clock.schedule(state.clock.now() + ms, task);
}
