import type { Operation } from '../../../schema/operation.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { Random } from '../../core/basics/random.js';
import { shownCount } from '../../core/basics/times.js';
import type { Clock } from '../../core/clock/clock.js';
import type { Task } from '../../core/clock/task.js';
import { GIVEN, type GroupOf } from '../../core/kind/group.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import { drawChaos } from './chaos.js';
import type { FaultEntry } from './fault-entry.js';
import {
  type CheckedFault,
  type FaultKind,
  type FaultOptions,
  isProbability,
  readFault,
  type StrikingFault,
} from './fault-options.js';
import type { When } from './fault-table.js';
import { type ArrivedRequest, isSelected, operationNamed } from './request-match.js';

/** An active fault, with the counts at the time of the call. */
export interface Fault extends Omit<FaultOptions, 'fault'> {
  readonly id: string;
  /** Kind of the fault. `chaos` is the mix of `faults.chaos`. */
  readonly fault: FaultKind | 'chaos';
  /** Time at which the fault was added: milliseconds since the epoch, by the sandbox's clock. */
  readonly at: number;
  /** The same time by the machine's clock. */
  readonly real: number;
  /** Time from which it applies, if it has `afterMs`. */
  readonly from?: number | undefined;
  /** Time at which it ends, if it has `for`. */
  readonly until?: number | undefined;
  /** Number of requests that it has applied to. */
  readonly applied: number;
  /** Number of requests that it will still apply to. `always`: without limit. */
  readonly left: number | 'always';
}

/** A fault that applies to a request, with its id. */
type AppliedFault = StrikingFault & Pick<Fault, 'id'>;

/**
 * Returns the fault that applies to a request before or after its effect, if any, and counts it.
 */
export type FaultPicker = (when: When) => AppliedFault | undefined;

interface Rule {
  readonly options: CheckedFault;
  readonly operation: Operation | undefined;
  readonly at: number;
  readonly real: number;
  readonly from: number;
  readonly until: number | undefined;
  /** Number of matching requests so far. */
  seen: number;
  applied: number;
}

interface ChaosRule {
  readonly probability: number;
  readonly at: number;
  readonly real: number;
  applied: number;
}

/** A fault that was drawn from chaos for one request. */
interface DrawnFault {
  readonly id: string;
  readonly fault: StrikingFault;
  readonly rule: ChaosRule;
}

interface FaultsParts {
  readonly operations: readonly Operation[];
  readonly random: Random;
  readonly clock: Clock<Task>;
  readonly timeline: Timeline;
}

/** All active faults. Removing one does not change answers under way. */
export class Faults {
  readonly #parts: FaultsParts;
  readonly #random: Random;
  readonly #chaosRandom: Random;
  readonly #rules = new Map<string, Rule>();
  readonly #chaos = new Map<string, ChaosRule>();
  #added = 0;

  constructor(parts: FaultsParts) {
    const { random } = parts;
    this.#parts = parts;
    this.#random = random;
    this.#chaosRandom = random.fork('chaos');
  }

  /** @param method Start of an error's message. */
  add(method: string, given: FaultOptions): Fault {
    const { operations, clock } = this.#parts;
    const options = readFault(method, given);
    const operation =
      options.operation === undefined ? undefined : operationNamed(method, operations, options.operation);
    const at = clock.now();
    const from = at + (options.afterMs ?? 0);
    const until = options.for === undefined ? undefined : from + options.for;
    const rule = { options, operation, at, real: Date.now(), from, until, seen: 0, applied: 0 };
    const id = this.#begin();
    this.#rules.set(id, rule);
    if (until !== undefined) clock.schedule(until, { kind: 'fault.end', id });
    return recordOf(id, rule);
  }

  /** Makes a share of the requests fail, each with one fault of chaos. */
  addChaos(probability: number): Fault {
    const rule = { probability, at: this.#parts.clock.now(), real: Date.now(), applied: 0 };
    const id = this.#begin();
    this.#chaos.set(id, rule);
    return chaosRecordOf(id, rule);
  }

  list(): Fault[] {
    this.#parts.clock.catchUp();
    const faults = Array.from(this.#rules, ([id, rule]) => recordOf(id, rule));
    return [...faults, ...Array.from(this.#chaos, ([id, rule]) => chaosRecordOf(id, rule))];
  }

  /** Removes a fault. Returns false if no active fault has this id. */
  remove(id: string): boolean {
    const { clock } = this.#parts;
    if (this.#rules.get(id)?.until !== undefined) clock.drop((task) => task.kind === 'fault.end' && task.id === id);
    return this.end(id);
  }

  /** Ends a fault at its time. Returns false if no active fault has this id. */
  end(id: string): boolean {
    const found = this.#rules.delete(id) || this.#chaos.delete(id);
    if (found) this.#parts.timeline.note<FaultEntry>({ kind: 'fault', id, what: 'ended' });
    return found;
  }

  /** Removes all faults. */
  clear(): void {
    for (const id of [...this.#rules.keys(), ...this.#chaos.keys()]) this.remove(id);
  }

  /** Removes all faults without entries in the timeline, and restarts ids and random streams. */
  reset(): void {
    this.#rules.clear();
    this.#chaos.clear();
    this.#added = 0;
    this.#chaosRandom.copyFrom(this.#random.fork('chaos'));
  }

  /** Moves the times of all faults, because the clock was set to another time. */
  shift(ms: number): void {
    for (const [id, rule] of this.#rules) {
      const until = rule.until === undefined ? undefined : rule.until + ms;
      this.#rules.set(id, { ...rule, from: rule.from + ms, until });
    }
  }

  /** Ends the chaos of `faults.chaos`. Returns a fault that applies to no request. */
  clearChaos(): Fault {
    for (const id of this.#chaos.keys()) this.remove(id);
    const at = this.#parts.clock.now();
    return { id: this.#nextId(), fault: 'chaos', probability: 0, at, real: Date.now(), applied: 0, left: 0 };
  }

  /**
   * Must be called once for each request, so that other faults do not change the draws of chaos.
   */
  pickerFor(request: ArrivedRequest): FaultPicker {
    if (this.#rules.size === 0 && this.#chaos.size === 0) return nothing;
    const { timeline } = this.#parts;
    // The effect may be asynchronous, and still has this cause.
    const { cause } = timeline;
    const drawn = this.#drawChaos();
    return (when) => timeline.causedBy(cause, () => this.#pick(when, request, drawn));
  }

  #pick(when: When, request: ArrivedRequest, drawn: DrawnFault | undefined): AppliedFault | undefined {
    const fault = this.#strike(when, request);
    if (fault !== undefined || drawn?.fault.when !== when) return fault;
    drawn.rule.applied += 1;
    this.#parts.timeline.note<FaultEntry>({ kind: 'fault', id: drawn.id, what: 'applied', fault: drawn.fault.fault });
    return { ...drawn.fault, id: drawn.id };
  }

  #drawChaos(): DrawnFault | undefined {
    for (const [id, rule] of this.#chaos) {
      const fault = drawChaos(rule.probability, this.#chaosRandom);
      if (fault !== undefined) return { id, fault, rule };
    }
    return undefined;
  }

  /** Returns the oldest fault that applies, and counts it. */
  #strike(when: When, request: ArrivedRequest): AppliedFault | undefined {
    const now = this.#parts.clock.now();
    for (const [id, rule] of this.#rules) {
      const { options, operation, from } = rule;
      if (options.when !== when || now < from || !isSelected({ ...options, operation }, request)) continue;
      rule.seen += 1;
      if (rule.seen < (options.match?.nth ?? 1)) continue;
      const { probability = 1 } = options;
      if (probability < 1 && !this.#random.chance(probability)) continue;
      rule.applied += 1;
      this.#parts.timeline.note<FaultEntry>({ kind: 'fault', id, what: 'applied', fault: options.fault });
      if (leftOf(rule) === 0) this.remove(id);
      return { ...strikingNow(rule, now), id };
    }
    return undefined;
  }

  #nextId(): string {
    this.#added += 1;
    return `fault_${this.#added}`;
  }

  #begin(): string {
    const id = this.#nextId();
    this.#parts.timeline.note<FaultEntry>({ kind: 'fault', id, what: 'added' });
    return id;
  }
}

const nothing: FaultPicker = () => undefined;

function recordOf(id: string, rule: Rule): Fault {
  const { options, at, real, from, until, applied } = rule;
  const { times, ...others } = options;
  return {
    id,
    ...others,
    times: shownCount(times),
    at,
    real,
    from: from === at ? undefined : from,
    until,
    applied,
    left: shownCount(leftOf(rule)),
  };
}

function chaosRecordOf(id: string, rule: ChaosRule): Fault {
  return { id, fault: 'chaos', ...rule, times: 'always', left: 'always' };
}

const leftOf = ({ options: { times }, applied }: Rule): number => times - applied;

function strikingNow({ options, until }: Rule, now: number): StrikingFault {
  const { retryAfterSeconds } = options;
  if (retryAfterSeconds !== 'left') return { ...options, retryAfterSeconds };
  return { ...options, retryAfterSeconds: Math.max(1, Math.ceil(((until ?? now) - now) / 1_000)) };
}

/** `sandbox.faults`: makes requests fail. */
export interface SandboxFaults {
  /**
   * Adds a fault. If several match a request, the oldest applies.
   *
   * @throws TypeError for an unknown or wrong option.
   */
  add(options: FaultOptions): Fault;
  /**
   * Makes each request fail with this probability, 0 to 1, drawn from the seed. One of these
   * applies, all with the same probability:
   *
   * - 429 and 503 before the effect, each with `Retry-After: 1` and without;
   * - 503 and 504 after it;
   * - the named faults, before or after it, as docs/sandbox/sandbox-trouble.md lists them.
   *
   * Requests that are refused anyway fail only before the effect. Faults of `add` have priority. A
   * probability of 0 stops all chaos, and returns a fault that applies to no request.
   *
   * @param probability Probability that a request fails: 0 to 1.
   * @throws TypeError for a probability out of range.
   */
  chaos(probability: number): Fault;
  /** Returns the active faults, oldest first. */
  list(): Fault[];
  /**
   * Removes a fault. Answers under way do not change.
   *
   * @throws Error if no active fault has this id.
   */
  remove(id: string): void;
  /** Removes all faults, including `chaos`. Answers under way do not change. */
  clear(): void;
}

/** Makes requests fail. */
export const faults: GroupOf<{ readonly trouble: { readonly faults: Faults } }, SandboxFaults> = {
  name: 'faults',
  removal: 'remove',
  methods: {
    add: { takes: { options: GIVEN }, run: ({ trouble }, options) => trouble.faults.add('faults.add', options) },
    chaos: {
      takes: { probability: GIVEN },
      run({ trouble }, probability) {
        if (probability !== 0 && !isProbability(probability)) {
          throw new TypeError('faults.chaos: probability must be above 0, at most 1, or 0 to end chaos');
        }
        if (probability === 0) return trouble.faults.clearChaos();
        return trouble.faults.addChaos(probability);
      },
    },
    list: { id: 'id', run: ({ trouble }) => trouble.faults.list() },
    remove: {
      takes: { id: GIVEN },
      run({ trouble }, id) {
        if (!trouble.faults.remove(id)) throw new Error(`faults.remove: there is no fault ${excerpt(id)}`);
      },
    },
    clear: { run: ({ trouble }) => trouble.faults.clear() },
  },
};
