import type { Operation } from '../core/operation.js';
import { errorAnswer, refusalOf } from './errors.js';
import type { Random } from './random.js';
import type { Outcome, WireAnswer } from './wire.js';

/**
 * What goes wrong. A status (200 to 599) is answered in the service's error form; `reset` breaks the connection without an answer;
 * `timeout` never answers; `truncate` breaks it in the middle of a 200; `html` is a 502 page as of a gateway; `garbage` is a 200 whose
 * body is not JSON.
 */
export type Fault = number | 'reset' | 'timeout' | 'truncate' | 'html' | 'garbage';

/** A fault to come: see `Sandbox.fail`. */
export interface FaultOptions {
  /** Only requests of this operation: its name (`accounts.quotes.get`) or title (`Get quote`), in any case. Default: every request. */
  readonly operation?: string | undefined;
  readonly fault: Fault;
  /**
   * `before` (default): nothing happens, the nonce is not consumed, as when a gateway fails. `after`: the request succeeds, its effect
   * takes place and is remembered under its key, then the answer fails; requests that are refused anyway do not count.
   */
  readonly when?: 'before' | 'after' | undefined;
  /** How many requests fail, 1 or more, or `Infinity`. Default 1. */
  readonly times?: number | undefined;
  /** How likely each request fails, above 0 to 1, by the sandbox's seed. Default 1. */
  readonly probability?: number | undefined;
  /** Sent as `Retry-After` with a status or `html`: seconds, 0 or more. Default: not sent. */
  readonly retryAfter?: number | undefined;
}

interface Rule {
  readonly options: FaultOptions;
  readonly operation: Operation | undefined;
  left: number;
}

const NAMED_FAULTS: readonly unknown[] = ['reset', 'timeout', 'truncate', 'html', 'garbage'];
const OPTION_NAMES: readonly string[] = ['operation', 'fault', 'when', 'times', 'probability', 'retryAfter'];

/** The faults that were asked for. */
export class Faults {
  readonly #operations: readonly Operation[];
  readonly #random: Random;
  readonly #rules = new Set<Rule>();

  constructor(operations: readonly Operation[], random: Random) {
    this.#operations = operations;
    this.#random = random;
  }

  /** Returns the function that takes the fault back. */
  add(options: FaultOptions): () => void {
    checkOptions(options);
    const rule: Rule = { options: { ...options }, operation: this.#find(options.operation), left: options.times ?? 1 };
    this.#rules.add(rule);
    return () => {
      this.#rules.delete(rule);
    };
  }

  /** The oldest fault that strikes this request at this point, used up by one. */
  strike(when: 'before' | 'after', operation: Operation | undefined): FaultOptions | undefined {
    for (const rule of this.#rules) {
      if ((rule.options.when ?? 'before') !== when) continue;
      if (rule.operation !== undefined && rule.operation !== operation) continue;
      const { probability = 1 } = rule.options;
      if (probability < 1 && !this.#random.chance(probability)) continue;
      rule.left -= 1;
      if (rule.left <= 0) this.#rules.delete(rule);
      return rule.options;
    }
    return undefined;
  }

  #find(wanted: string | undefined): Operation | undefined {
    if (wanted === undefined) return undefined;
    const name = wanted.toLowerCase();
    const found = this.#operations.find((one) => one.name.toLowerCase() === name || one.title.toLowerCase() === name);
    if (found !== undefined) return found;
    const known = this.#operations.map((one) => `${one.name} (${one.title})`).join(', ');
    throw new TypeError(`fail: there is no operation "${wanted}". Known: ${known}`);
  }
}

/** What the client sees of a fault. `answer` is the true answer, when there is one. */
export function faultOutcome(
  { fault, retryAfter }: FaultOptions,
  operation: Operation | undefined,
  instance: string,
  answer: WireAnswer = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data":{}}' },
): Outcome {
  const extra: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  switch (fault) {
    case 'reset':
      return { kind: 'reset' };
    case 'timeout':
      return { kind: 'silence' };
    case 'truncate':
      return { kind: 'cut', answer };
    case 'html': {
      const body = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';
      return { kind: 'answer', answer: { status: 502, headers: { 'content-type': 'text/html', ...extra }, body } };
    }
    case 'garbage':
      return { kind: 'answer', answer: { ...answer, body: '{"data": {"id": ' } };
    default: {
      const failed = errorAnswer(refusalOf(fault), operation, instance);
      return { kind: 'answer', answer: { ...failed, headers: { ...failed.headers, ...extra } } };
    }
  }
}

function checkOptions(options: FaultOptions): void {
  const { fault, when = 'before', times = 1, probability = 1, retryAfter = 0 } = options;
  const unknown = Object.keys(options).filter((name) => !OPTION_NAMES.includes(name));
  if (unknown.length > 0) throw new TypeError(`fail: unknown option ${unknown.join(', ')}`);
  const isStatus = Number.isInteger(fault) && Number(fault) >= 200 && Number(fault) <= 599;
  if (!isStatus && !NAMED_FAULTS.includes(fault)) {
    throw new TypeError(`fail: fault must be a status from 200 to 599 or one of ${NAMED_FAULTS.join(', ')}`);
  }
  if (when !== 'before' && when !== 'after') throw new TypeError('fail: when must be before or after');
  if (!(times >= 1)) throw new TypeError('fail: times must be 1 or more');
  if (!(probability > 0 && probability <= 1)) throw new TypeError('fail: probability must be above 0, at most 1');
  if (!(retryAfter >= 0 && Number.isFinite(retryAfter)))
    throw new TypeError('fail: retryAfter must be 0 or more seconds');
}
