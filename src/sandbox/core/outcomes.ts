import type { Operation } from '../../schema/operation.js';
import { isStep } from './clock/task.js';
import { find } from './kind/find.js';
import type { Failing, Found, Kind, OperationOutcomes, OutcomeKind, Owner } from './kind/kind.js';
import { dropStep, willFail } from './moves.js';
import type { State } from './records/state.js';

/** Default delay of `slow`, in ms. */
const SLOW_MS = 60_000;

/** @param id Member of the response's `data` that contains the new id. */
export const outcomesOf = (
  operation: Operation,
  id: string,
  outcomes: OperationOutcomes['outcomes'],
): OperationOutcomes => ({ operation, id, outcomes });

/** Runs the step `afterMs` from now instead of at its time; `usual` is its default. */
export const runsIn = (summary: string, step: string, usual: number): OutcomeKind => ({
  summary,
  takes: ['afterMs'],
  apply: ({ state: { clock }, id, afterMs = usual }) =>
    clock.reschedule(
      (task) => isStep(task, step, id),
      ({ task }) => ({ at: clock.now() + afterMs, task }),
    ),
});

/** Runs the step `afterMs` from now, by default in a minute. `summary` says what is late. */
export const slow = (summary: string, step: string): OutcomeKind =>
  runsIn(`${summary} only after \`afterMs\`, by default a minute.`, step, SLOW_MS);

/** Does not run the step by itself. */
export const neverRuns = <R, Of extends Owner>(
  summary: string,
  step: string,
  kind: () => Kind<R, Of>,
): OutcomeKind => ({ summary, apply: toMade(kind, (state, { id }) => dropStep(state, step, id)) });

export const failsLater = <R extends Failing, Of extends Owner>(
  summary: string,
  kind: () => Kind<R, Of>,
): OutcomeKind => ({ summary, apply: toMade(kind, (state, found) => willFail(state, kind(), found)) });

/**
 * Returns the `apply` of an outcome that needs only the resource that the operation has made.
 *
 * @param only The only state in which the outcome applies. Default: every state.
 */
export function toMade<R, Of extends Owner>(
  kind: () => Kind<R, Of>,
  effect: (state: State, found: Found<R, Of>, reason: string | undefined) => unknown,
  only?: string,
): OutcomeKind['apply'] {
  return ({ state, id, reason }) => {
    const found = find(state, kind(), id);
    if (found === undefined || (only !== undefined && kind().stateOf?.(found.record) !== only)) return false;
    effect(state, found, reason);
    return true;
  };
}

/** Returns an `apply` whose effect returns the operation's response. */
export const answeringMade =
  <R, Of extends Owner>(
    kind: () => Kind<R, Of>,
    effect: (state: State, found: Found<R, Of>) => unknown,
  ): OutcomeKind['apply'] =>
  ({ state, id }) => {
    const found = find(state, kind(), id);
    return found !== undefined && { shown: effect(state, found) };
  };
