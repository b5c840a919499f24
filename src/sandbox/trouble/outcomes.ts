import type { Operation } from '../../schema/operation.js';
import { isRecord } from '../../util/options.js';
import { excerpt } from '../core/basics/excerpt.js';
import type { OperationOutcomes, OutcomeKind } from '../core/kind/kind.js';
import type { State } from '../core/records/state.js';
import { accountIn, type RouteMatch } from '../core/request/route.js';
import { KINDS } from '../kinds/registry/index.js';
import type { Outcome } from './trouble.js';

/** An outcome that an operation can have. */
export interface KnownOutcome {
  /** For example `accounts.quotes.execute`. */
  readonly operation: string;
  /** For example `failed`. */
  readonly outcome: string;
  /** One sentence about what it does. */
  readonly summary: string;
  /** The options that it accepts: `afterMs`, `reason` or none. */
  readonly takes: readonly string[];
}

/** An outcome of an operation, with its options. */
export interface DecidedOutcome {
  readonly operation: Operation;
  readonly kind: OutcomeKind;
  readonly afterMs?: number | undefined;
  readonly reason?: string | undefined;
}

const OUTCOMES: ReadonlyMap<Operation, OperationOutcomes> = new Map(
  KINDS.flatMap(({ outcomes = [] }) => outcomes).map((row) => [row.operation, row]),
);

export const KNOWN_OUTCOMES: readonly KnownOutcome[] = Array.from(OUTCOMES.values()).flatMap(
  ({ operation, outcomes }) =>
    Object.entries(outcomes).map(([outcome, { summary, takes = [] }]) => {
      return { operation: operation.name, outcome, summary, takes };
    }),
);

/** @throws TypeError for an unknown operation, outcome or option, with a list of the known ones. */
export function outcomeNamed(method: string, given: Outcome, operation: Operation | undefined): DecidedOutcome {
  const { outcome, ...options } = given;
  const row = operation && OUTCOMES.get(operation);
  if (operation === undefined || row === undefined) {
    const which = operation === undefined ? 'an outcome needs match.operation' : `${operation.name} has no outcomes`;
    throw new TypeError(`${method}: ${which}. Operations with outcomes: ${namesOf(OUTCOMES.keys())}`);
  }
  const kind = Object.hasOwn(row.outcomes, outcome) ? row.outcomes[outcome] : undefined;
  if (kind === undefined) {
    const known = Object.keys(row.outcomes).join(', ');
    throw new TypeError(`${method}: ${operation.name} has no outcome "${excerpt(outcome)}". Known: ${known}`);
  }
  const { takes = [] } = kind;
  const surplus = (['afterMs', 'reason'] as const).find((one) => options[one] !== undefined && !takes.includes(one));
  if (surplus !== undefined) throw new TypeError(`${method}: ${surplus} is not for ${operation.name} ${outcome}`);
  return { ...options, operation, kind };
}

const namesOf = (all: Iterable<Operation>): string => Array.from(all, ({ name }) => name).join(', ');

/**
 * Applies an outcome to what an operation has made. Returns false if it has made nothing, or if
 * nothing is left to decide. `shown` replaces the response.
 */
export function applyOutcome(
  { operation, kind, afterMs, reason }: DecidedOutcome,
  state: State,
  match: RouteMatch,
  answer: unknown,
): boolean | { readonly shown: unknown } {
  const id = madeBy(operation, answer);
  if (id === undefined) return false;
  return kind.apply({ state, account: state.accounts.get(accountIn(match) ?? ''), id, afterMs, reason });
}

/** Returns the id of the record that an operation has created. */
function madeBy(operation: Operation, answer: unknown): string | undefined {
  const row = OUTCOMES.get(operation);
  const { data } = isRecord(answer) ? (answer as { readonly data?: unknown }) : {};
  const id = row === undefined || !isRecord(data) ? undefined : data[row.id];
  return typeof id === 'string' ? id : undefined;
}
