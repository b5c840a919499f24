import type { Operation } from '../../schema/operation.js';
import type { Random } from '../state/random.js';
import { drawChaos } from './chaos.js';
import { type CheckedFault, type FaultKind, type FaultOptions, readFault, type When } from './fault-options.js';

/** A fault that can still strike, as it was when it was asked for or listed. */
export interface Fault extends Omit<FaultOptions, 'fault' | 'times' | 'retryAfter'> {
  readonly id: string;
  /** `chaos` is the mix of `faults.chaos`. */
  readonly fault: FaultKind | 'chaos';
  /** Number of requests that it has struck. */
  readonly struck: number;
  /** Number of requests that it will still strike. `Infinity`, in JSON `null`, without end. */
  readonly left: number;
}

/** A fault that strikes a request, and its id. */
export type StruckFault = CheckedFault & Pick<Fault, 'id'>;

/** The fault that strikes a request at a moment, if one does. It is used up by one. */
export type FaultPicker = (when: When) => StruckFault | undefined;

interface Rule {
  readonly options: CheckedFault;
  readonly operation: Operation | undefined;
  struck: number;
}

interface ChaosRule {
  readonly probability: number;
  struck: number;
}

export class Faults {
  readonly #operations: readonly Operation[];
  readonly #random: Random;
  readonly #chaosRandom: Random;
  readonly #rules = new Map<string, Rule>();
  readonly #chaos = new Map<string, ChaosRule>();
  #added = 0;

  constructor(operations: readonly Operation[], random: Random) {
    this.#operations = operations;
    this.#random = random;
    this.#chaosRandom = random.fork('chaos');
  }

  /** `method` begins the message of an error. */
  add(method: string, given: FaultOptions): Fault {
    const options = readFault(method, given);
    const rule = { options, operation: this.#operationNamed(method, options.operation), struck: 0 };
    const id = this.#nextId();
    this.#rules.set(id, rule);
    return recordOf(id, rule);
  }

  addChaos(probability: number): Fault {
    const rule = { probability, struck: 0 };
    const id = this.#nextId();
    this.#chaos.set(id, rule);
    return chaosRecordOf(id, rule);
  }

  list(): Fault[] {
    const faults = Array.from(this.#rules, ([id, rule]) => recordOf(id, rule));
    return [...faults, ...Array.from(this.#chaos, ([id, rule]) => chaosRecordOf(id, rule))];
  }

  /** Takes a fault back. Returns false if there is none with this id that can still strike. */
  remove(id: string): boolean {
    return this.#rules.delete(id) || this.#chaos.delete(id);
  }

  clear(): void {
    this.#rules.clear();
    this.#chaos.clear();
  }

  /** Called once for each request: other faults do not change whether chaos strikes it. */
  pickerFor(operation: Operation | undefined): FaultPicker {
    const chaos = this.#drawChaos();
    return (when) => {
      const fault = this.#strike(when, operation);
      if (fault !== undefined || chaos?.fault.when !== when) return fault;
      chaos.rule.struck += 1;
      return { ...chaos.fault, id: chaos.id };
    };
  }

  #drawChaos(): { readonly id: string; readonly fault: CheckedFault; readonly rule: ChaosRule } | undefined {
    for (const [id, rule] of this.#chaos) {
      const fault = drawChaos(rule.probability, this.#chaosRandom);
      if (fault !== undefined) return { id, fault, rule };
    }
    return undefined;
  }

  /** Uses up the oldest fault that strikes. */
  #strike(when: When, operation: Operation | undefined): StruckFault | undefined {
    for (const [id, rule] of this.#rules) {
      const { options } = rule;
      if (options.when !== when) continue;
      if (rule.operation !== undefined && rule.operation !== operation) continue;
      const { probability = 1 } = options;
      if (probability < 1 && !this.#random.chance(probability)) continue;
      rule.struck += 1;
      if (leftOf(rule) === 0) this.#rules.delete(id);
      return { ...options, id };
    }
    return undefined;
  }

  #operationNamed(method: string, wanted: string | undefined): Operation | undefined {
    if (wanted === undefined) return undefined;
    const name = wanted.toLowerCase();
    const found = this.#operations.find((one) => one.name.toLowerCase() === name || one.title.toLowerCase() === name);
    if (found !== undefined) return found;
    const known = this.#operations.map((one) => `${one.name} (${one.title})`).join(', ');
    throw new TypeError(`${method}: there is no operation "${wanted}". Known: ${known}`);
  }

  #nextId(): string {
    this.#added += 1;
    return `fault_${this.#added}`;
  }
}

const leftOf = ({ options: { times = 1 }, struck }: Rule): number => times - struck;

function recordOf(id: string, rule: Rule): Fault {
  const { times: _, ...options } = rule.options;
  return { id, ...options, struck: rule.struck, left: leftOf(rule) };
}

function chaosRecordOf(id: string, { probability, struck }: ChaosRule): Fault {
  return { id, fault: 'chaos', probability, struck, left: Number.POSITIVE_INFINITY };
}
