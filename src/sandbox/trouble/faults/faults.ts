import type { Operation } from '../../../schema/operation.js';
import type { Random } from '../../core/basics/random.js';
import { shownCount } from '../../core/basics/times.js';
import type { Clock } from '../../core/clock/clock.js';
import type { Task } from '../../core/clock/task.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import { drawMixed, MIXES } from './chaos.js';
import type { FaultEntry } from './fault-entry.js';
import {
  type CheckedFault,
  type FaultKind,
  type FaultOptions,
  readFault,
  type StrikingFault,
} from './fault-options.js';
import type { MixName, When } from './fault-table.js';
import { type ArrivedRequest, isSelected, operationNamed } from './request-match.js';

/** An active fault, with the counts at the time of the call. */
export interface Fault extends Omit<FaultOptions, 'fault'> {
  readonly id: string;
  /**
   * Kind of the fault. `chaos` is the mix of `faults.chaos`, `network` that of the scenario
   * `flaky_network`.
   */
  readonly fault: FaultKind | MixName;
  /** Name of the scenario that added the fault. Its end removes the fault. */
  readonly scenario?: string | undefined;
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

interface MixRule {
  readonly name: MixName;
  readonly probability: number;
  readonly at: number;
  readonly real: number;
  readonly random: Random;
  applied: number;
}

/** A fault that was drawn from a mix for one request. */
interface DrawnMix {
  readonly id: string;
  readonly fault: StrikingFault;
  readonly rule: MixRule;
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
  readonly #mixRandoms: Readonly<Record<MixName, Random>>;
  readonly #rules = new Map<string, Rule>();
  readonly #mixes = new Map<string, MixRule>();
  /** Name of the scenario that added each fault, by the fault's id. */
  readonly #scenarios = new Map<string, string>();
  #added = 0;

  constructor(parts: FaultsParts) {
    const { random } = parts;
    this.#parts = parts;
    this.#random = random;
    this.#mixRandoms = { chaos: random.fork('chaos'), network: random.fork('network') };
  }

  /** @param method Start of an error's message. */
  add(method: string, given: FaultOptions, scenario?: string): Fault {
    const { operations, clock } = this.#parts;
    const options = readFault(method, given);
    const operation =
      options.operation === undefined ? undefined : operationNamed(method, operations, options.operation);
    const at = clock.now();
    const from = at + (options.afterMs ?? 0);
    const until = options.for === undefined ? undefined : from + options.for;
    const rule = { options, operation, at, real: Date.now(), from, until, seen: 0, applied: 0 };
    const id = this.#begin(scenario);
    this.#rules.set(id, rule);
    if (until !== undefined) clock.schedule(until, { kind: 'fault.end', id });
    return this.#recordOf(id, rule);
  }

  /** Makes a share of the requests fail, each with one fault of a mix. */
  addMix(name: MixName, probability: number, scenario?: string): Fault {
    const { clock } = this.#parts;
    const random = this.#mixRandoms[name];
    const rule = { name, probability, at: clock.now(), real: Date.now(), random, applied: 0 };
    const id = this.#begin(scenario);
    this.#mixes.set(id, rule);
    return this.#mixRecordOf(id, rule);
  }

  list(): Fault[] {
    this.#parts.clock.catchUp();
    const faults = Array.from(this.#rules, ([id, rule]) => this.#recordOf(id, rule));
    return [...faults, ...Array.from(this.#mixes, ([id, rule]) => this.#mixRecordOf(id, rule))];
  }

  scenarioOf(id: string): string | undefined {
    return this.#scenarios.get(id);
  }

  /** Removes a fault. Returns false if no active fault has this id. */
  remove(id: string): boolean {
    const { clock } = this.#parts;
    if (this.#rules.get(id)?.until !== undefined) clock.drop((task) => task.kind === 'fault.end' && task.id === id);
    return this.end(id);
  }

  /** Ends a fault at its time. Returns false if no active fault has this id. */
  end(id: string): boolean {
    const found = this.#rules.delete(id) || this.#mixes.delete(id);
    this.#scenarios.delete(id);
    if (found) this.#parts.timeline.note<FaultEntry>({ kind: 'fault', id, what: 'ended' });
    return found;
  }

  /** Removes all faults except those of scenarios. */
  clear(): void {
    for (const id of [...this.#rules.keys(), ...this.#mixes.keys()]) if (!this.#scenarios.has(id)) this.remove(id);
  }

  /** Removes all faults without entries in the timeline, and restarts ids and random streams. */
  reset(): void {
    this.#rules.clear();
    this.#mixes.clear();
    this.#scenarios.clear();
    this.#added = 0;
    for (const [name, random] of Object.entries(this.#mixRandoms)) random.copyFrom(this.#random.fork(name));
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
    for (const [id, { name }] of this.#mixes) if (name === 'chaos') this.remove(id);
    const at = this.#parts.clock.now();
    return { id: this.#nextId(), fault: 'chaos', probability: 0, at, real: Date.now(), applied: 0, left: 0 };
  }

  /**
   * Must be called once for each request, so that other faults do not change the draws of chaos.
   */
  pickerFor(request: ArrivedRequest): FaultPicker {
    if (this.#rules.size === 0 && this.#mixes.size === 0) return nothing;
    const { timeline } = this.#parts;
    // The effect may be asynchronous, and still has this cause.
    const { cause } = timeline;
    const mixed = this.#drawMixed();
    return (when) => timeline.causedBy(cause, () => this.#pick(when, request, mixed));
  }

  #pick(when: When, request: ArrivedRequest, mixed: DrawnMix | undefined): AppliedFault | undefined {
    const fault = this.#strike(when, request);
    if (fault !== undefined || mixed?.fault.when !== when) return fault;
    mixed.rule.applied += 1;
    this.#parts.timeline.note<FaultEntry>({ kind: 'fault', id: mixed.id, what: 'applied', fault: mixed.fault.fault });
    return { ...mixed.fault, id: mixed.id };
  }

  #drawMixed(): DrawnMix | undefined {
    for (const [id, rule] of this.#mixes) {
      const fault = drawMixed(MIXES[rule.name], rule.probability, rule.random);
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

  #begin(scenario: string | undefined): string {
    const id = this.#nextId();
    if (scenario !== undefined) this.#scenarios.set(id, scenario);
    this.#parts.timeline.note<FaultEntry>({ kind: 'fault', id, what: 'added' });
    return id;
  }

  #recordOf(id: string, rule: Rule): Fault {
    const { options, at, real, from, until, applied } = rule;
    const { times, ...others } = options;
    return {
      ...{ id, ...others, times: shownCount(times) },
      ...{ scenario: this.#scenarios.get(id), at, real },
      ...{ from: from === at ? undefined : from, until, applied, left: shownCount(leftOf(rule)) },
    };
  }

  #mixRecordOf(id: string, { name, probability, at, real, applied }: MixRule): Fault {
    const scenario = this.#scenarios.get(id);
    return { id, fault: name, probability, times: 'always', scenario, at, real, applied, left: 'always' };
  }
}

const nothing: FaultPicker = () => undefined;

const leftOf = ({ options: { times }, applied }: Rule): number => times - applied;

function strikingNow({ options, until }: Rule, now: number): StrikingFault {
  const { retryAfterSeconds } = options;
  if (retryAfterSeconds !== 'left') return { ...options, retryAfterSeconds };
  return { ...options, retryAfterSeconds: Math.max(1, Math.ceil(((until ?? now) - now) / 1_000)) };
}
