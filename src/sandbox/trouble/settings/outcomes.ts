import { operations } from '../../../resources/operations.js';
import type { Operation } from '../../../schema/operation.js';
import { checkGiven, isRecord, MILLISECONDS_OR_0, type Rules, rule } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { countOf, shownCount, TIMES } from '../../core/basics/times.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import type { CheckedInput } from '../../core/kind/handler.js';
import type { OperationOutcomes, OutcomeKind } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import { KINDS } from '../../kinds/registry/index.js';
import type { FaultEntry } from '../faults/fault-entry.js';
import { operationNamed } from '../faults/request-match.js';

/** The outcomes that can be set, by the name of the operation. */
const OUTCOMES: ReadonlyMap<string, OperationOutcomes> = new Map(
  KINDS.flatMap(({ outcomes = [] }) => outcomes).map((row) => [row.operation.name, row]),
);

/** Options of a set outcome. */
export interface OutcomeOptions {
  /** The operation whose effects get it: `accounts.quotes.execute` or `Execute quote`. */
  readonly operation: string;
  /** An outcome that the operation can have: `failed`, `slow` … */
  readonly outcome: string;
  /** Number of effects: an integer of 1 or more, or `always`. Default 1. */
  readonly times?: number | 'always' | undefined;
  /** Only effects in this account. Default: in every account. */
  readonly account?: string | undefined;
  /** Delay of a `slow` outcome in ms of the sandbox's clock. Default: that of the outcome. */
  readonly ms?: number | undefined;
  /** Reason of a failure, if the outcome accepts one. Default: that of the outcome. */
  readonly reason?: string | undefined;
}

/** An outcome that still applies, with the counts at the time of the call. */
export interface OutcomeAhead extends OutcomeOptions {
  /** For example `next_1`. */
  readonly id: string;
  /** Time at which it was added: milliseconds since the epoch, by the sandbox's clock. */
  readonly at: number;
  /** The same time by the machine's clock. */
  readonly real: number;
  /** Number of effects that have had it. */
  readonly applied: number;
  /** Number of effects that will still have it. `always`: without limit. */
  readonly left: number | 'always';
}

/** An outcome that can be set for an operation. */
export interface KnownOutcome {
  readonly operation: string;
  readonly outcome: string;
  readonly summary: string;
  /** The options that it accepts: `ms`, `reason` or none. */
  readonly takes: readonly string[];
}

interface Ahead {
  readonly options: OutcomeOptions;
  readonly operation: Operation;
  readonly kind: OutcomeKind;
  readonly times: number;
  readonly at: number;
  readonly real: number;
  applied: number;
}

const TEXT = rule((value) => typeof value === 'string' && value !== '', 'must be text that is not empty');

const RULES = {
  operation: { ...TEXT, required: true },
  outcome: { ...TEXT, required: true },
  times: TIMES,
  account: TEXT,
  ms: MILLISECONDS_OR_0,
  reason: TEXT,
} satisfies Rules<OutcomeOptions>;

/** The outcomes that still apply. An effect gets the oldest one that matches. */
export class Outcomes {
  readonly #state: State;
  readonly #ahead = new Map<string, Ahead>();
  #added = 0;

  constructor(state: State) {
    this.#state = state;
  }

  /** @param method Start of an error's message. */
  add(method: string, given: OutcomeOptions): OutcomeAhead {
    const options = checkGiven(method, given, RULES, TypeError);
    const { times = 1, account } = options;
    const [operation, kind] = kindOf(method, options);
    const isOfAccount = operation.path.includes('{account_id}');
    if (account !== undefined && !isOfAccount) {
      throw new TypeError(`${method}: ${operation.name} is not an operation of an account`);
    }
    if (account !== undefined && !this.#state.accounts.has(account)) {
      throw new Error(`${method}: there is no account ${excerpt(account)}`);
    }
    const { clock, timeline } = this.#state;
    const ahead: Ahead = {
      options,
      operation,
      kind,
      times: countOf(times),
      at: clock.now(),
      real: Date.now(),
      applied: 0,
    };
    this.#added += 1;
    const id = `outcome_${this.#added}`;
    this.#ahead.set(id, ahead);
    timeline.note<FaultEntry>({ kind: 'fault', id, what: 'added' });
    return recordOf(id, ahead);
  }

  list(): OutcomeAhead[] {
    return Array.from(this.#ahead, ([id, ahead]) => recordOf(id, ahead));
  }

  /** Returns false if there is no outcome with this id. */
  remove(id: string): boolean {
    const found = this.#ahead.delete(id);
    if (found) this.#state.timeline.note<FaultEntry>({ kind: 'fault', id, what: 'ended' });
    return found;
  }

  clear(): void {
    for (const id of [...this.#ahead.keys()]) this.remove(id);
  }

  /** Removes all outcomes, and restarts ids. */
  reset(): void {
    this.clear();
    this.#added = 0;
  }

  /** Applies the matching outcome to an effect. Call it after the effect, with its answer. */
  applyTo<Answer>(operation: Operation, { params }: CheckedInput, answer: Answer): Answer {
    return this.#ahead.size > 0 ? this.#apply(operation, accountIn(params), answer) : answer;
  }

  #apply<Answer>(operation: Operation, account: string | undefined, answer: Answer): Answer {
    const made = madeBy(operation, answer);
    if (made === undefined) return answer;
    for (const [id, ahead] of this.#ahead) {
      const { options, kind } = ahead;
      if (ahead.operation !== operation || (options.account ?? account) !== account) continue;
      const { ms, reason } = options;
      const state = this.#state;
      const applied = kind.apply({ state, account: state.accounts.get(account ?? ''), id: made, ms, reason });
      if (applied === false) continue;
      ahead.applied += 1;
      state.timeline.note<FaultEntry>({ kind: 'fault', id, what: 'applied' });
      if (ahead.applied >= ahead.times) this.remove(id);
      return applied === true ? answer : { ...answer, data: applied.shown };
    }
    return answer;
  }
}

/** Returns all outcomes that can be set. */
export function knownOutcomes(): KnownOutcome[] {
  return [...OUTCOMES].flatMap(([operation, { outcomes }]) =>
    Object.entries(outcomes).map(([outcome, { summary, takes = [] }]) => ({ operation, outcome, summary, takes })),
  );
}

/** @throws TypeError for an unknown operation, outcome or option, with a list of the known ones. */
function kindOf(method: string, options: OutcomeOptions): [operation: Operation, kind: OutcomeKind] {
  const operation = operationNamed(method, operations, options.operation);
  const { name } = operation;
  const row = OUTCOMES.get(name);
  if (row === undefined) {
    throw new TypeError(`${method}: no outcome of ${name} can be set. Operations: ${[...OUTCOMES.keys()].join(', ')}`);
  }
  const kind = Object.hasOwn(row.outcomes, options.outcome) ? row.outcomes[options.outcome] : undefined;
  if (kind === undefined) {
    const known = Object.keys(row.outcomes).join(', ');
    throw new TypeError(`${method}: ${name} has no outcome "${excerpt(options.outcome)}". Known: ${known}`);
  }
  const { takes = [] } = kind;
  const surplus = (['ms', 'reason'] as const).find((one) => options[one] !== undefined && !takes.includes(one));
  if (surplus !== undefined) throw new TypeError(`${method}: ${surplus} is not for ${name} ${options.outcome}`);
  return [operation, kind];
}

/** Returns the id of the record that an operation has created. */
function madeBy({ name }: Operation, answer: unknown): string | undefined {
  const row = OUTCOMES.get(name);
  const { data } = isRecord(answer) ? (answer as { readonly data?: unknown }) : {};
  const id = row === undefined || !isRecord(data) ? undefined : data[row.id];
  return typeof id === 'string' ? id : undefined;
}

function accountIn(params: unknown): string | undefined {
  return (params as { readonly account_id?: string } | undefined)?.account_id;
}

function recordOf(id: string, { options, operation, times, at, real, applied }: Ahead): OutcomeAhead {
  const counts = { times: shownCount(times), at, real, applied, left: shownCount(times - applied) };
  return { id, ...options, operation: operation.name, ...counts };
}

/** `sandbox.outcomes`: sets the outcome of the next effects of operations. */
export interface SandboxOutcomes {
  /**
   * Sets the outcome of the next effects of an operation. Only requests that take effect count, not
   * refused requests and replayed answers. If several outcomes match, the oldest applies first.
   *
   * @throws TypeError for an unknown or wrong option, and for an outcome that the operation cannot
   * have: the message lists those that it can. Error for an unknown account.
   */
  add(options: OutcomeOptions): OutcomeAhead;
  /** Returns the outcomes that still apply, oldest first. */
  list(): OutcomeAhead[];
  /** Returns all outcomes that can be set, by operation. */
  known(): KnownOutcome[];
  /**
   * Removes an outcome. Earlier effects keep it.
   *
   * @throws Error if no outcome with this id still applies.
   */
  remove(id: string): void;
  /** Removes all outcomes. Earlier effects keep theirs. */
  clear(): void;
}

/** Sets the outcomes of the next effects of operations. */
export const outcomes: GroupOf<{ readonly trouble: { readonly outcomes: Outcomes } }, SandboxOutcomes> = {
  name: 'outcomes',
  removal: 'remove',
  methods: {
    add: { takes: { options: GIVEN }, run: ({ trouble }, options) => trouble.outcomes.add('outcomes.add', options) },
    list: { id: 'id', run: ({ trouble }) => trouble.outcomes.list() },
    known: { get: 'known', run: knownOutcomes },
    remove: {
      takes: { id: GIVEN },
      run({ trouble }, id) {
        if (!trouble.outcomes.remove(id)) throw new Error(`outcomes.remove: there is no outcome ${excerpt(id)}`);
      },
    },
    clear: { run: ({ trouble }) => trouble.outcomes.clear() },
  },
};
