import type { Operation } from '../../schema/operation.js';
import { checkGiven, isCount, oneOf, type Rules, rule } from '../../util/options.js';
import { BODILESS, type Outcome, type WireAnswer } from '../http/wire.js';
import type { Random } from '../state/random.js';
import { Chaos, isProbability } from './chaos.js';
import { errorAnswer, refusalOf } from './errors.js';

type FaultName = 'reset' | 'timeout' | 'html' | 'truncate' | 'garbage' | 'content_type' | 'slow';

/**
 * What goes wrong. A status (200 to 599) is answered in the service's error form, but 204, 205 and 304, which have no body; `reset` breaks the connection without an answer;
 * `timeout` never answers; `html` is a 502 page as of a gateway. The others spoil a good answer: `truncate` breaks the connection in the
 * middle of its body; `garbage` puts text in its place that is not JSON; `content_type` labels it `text/html`; `slow` sends its head at
 * once and its body byte by byte.
 */
export type Fault = number | FaultName;

/** When a fault strikes: before the effect took place, or after it. */
type When = 'before' | 'after';

/** A fault to come: see `Sandbox.fail`. */
export interface FaultOptions {
  /** Only requests of this operation: its name (`accounts.quotes.get`) or title (`Get quote`), in any case. Default: every request. */
  readonly operation?: string | undefined;
  readonly fault: Fault;
  /**
   * With a status of 400 or more: the error's `code`, 1 to 100 characters. Default: the code that the operation declares for the status,
   * for instance `user_not_found` for a 404 of `users.get`. A 403 is by default that of a gateway (`gateway`, type `service_error`);
   * `forbidden` is that of the service.
   */
  readonly code?: string | undefined;
  /**
   * `before`: nothing happens, the nonce is not consumed, as when a gateway fails (what spoils a good answer then spoils a 200 with
   * empty `data`). `after`: the request succeeds, its effect takes place and is remembered under its key, then the answer fails;
   * requests that are refused anyway do not count. Default: `after` for what spoils a good answer and for a status below 300, since both
   * say that the effect took place; `before` for the others.
   */
  readonly when?: When | undefined;
  /** How many requests fail: a whole number of 1 or more, or `Infinity`. Default 1. */
  readonly times?: number | undefined;
  /** How likely each request fails, above 0 to 1, by the sandbox's seed. Default 1. */
  readonly probability?: number | undefined;
  /** Sent as `Retry-After` with a status or `html`: seconds, 0 or more. Default: not sent. */
  readonly retryAfter?: number | undefined;
  /** Pace of the body of a `slow` answer: bytes per second, above 0. Default 10: an answer of 300 bytes takes half a minute. */
  readonly bytesPerSecond?: number | undefined;
}

/** Slow enough that a client's time limit ends all but the shortest answers. */
const BYTES_PER_SECOND = 10;

/** The named faults, and when each strikes by default. */
const DEFAULT_WHEN: Readonly<Record<FaultName, When>> = {
  reset: 'before',
  timeout: 'before',
  html: 'before',
  truncate: 'after',
  garbage: 'after',
  content_type: 'after',
  slow: 'after',
};

function whenOf({ fault, when }: FaultOptions): When {
  if (when !== undefined) return when;
  if (typeof fault === 'number') return fault < 300 ? 'after' : 'before';
  return DEFAULT_WHEN[fault];
}

/** The faults that strike one request. */
export interface RequestFaults {
  /** The fault that strikes at this point, used up by one. */
  strike(when: When): FaultOptions | undefined;
}

interface Rule {
  readonly options: FaultOptions;
  readonly operation: Operation | undefined;
  left: number;
}

/** The faults that were asked for. */
export class Faults {
  readonly #operations: readonly Operation[];
  readonly #random: Random;
  readonly #rules = new Set<Rule>();
  readonly #chaos: Chaos;

  constructor(operations: readonly Operation[], random: Random) {
    this.#operations = operations;
    this.#random = random;
    this.#chaos = new Chaos(random.fork('chaos'));
  }

  /** Returns the function that takes the fault back. */
  add(given: FaultOptions): () => void {
    const options = readOptions(given);
    const rule: Rule = { options, operation: this.#find(options.operation), left: options.times ?? 1 };
    this.#rules.add(rule);
    return () => {
      this.#rules.delete(rule);
    };
  }

  /** Makes any request fail. Returns the function that takes it back. */
  chaos(probability: number): () => void {
    return this.#chaos.add(probability);
  }

  /** Takes all faults back. */
  clear(): void {
    this.#rules.clear();
    this.#chaos.clear();
  }

  /** To be called once for each request: whether chaos strikes it does not depend on the other faults. */
  of(operation: Operation | undefined): RequestFaults {
    const chaos = this.#chaos.draw();
    return {
      strike: (when) =>
        this.#strike(when, operation) ?? (chaos !== undefined && whenOf(chaos) === when ? chaos : undefined),
    };
  }

  /** The oldest fault that strikes, used up by one. */
  #strike(when: When, operation: Operation | undefined): FaultOptions | undefined {
    for (const rule of this.#rules) {
      if (whenOf(rule.options) !== when) continue;
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
  { fault, code, retryAfter, bytesPerSecond = BYTES_PER_SECOND }: FaultOptions,
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
    case 'content_type':
      return { kind: 'answer', answer: { ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } } };
    case 'slow':
      return { kind: 'slow', answer, bytesPerSecond };
    default: {
      if (BODILESS.includes(fault)) return { kind: 'answer', answer: { status: fault, headers: extra, body: '' } };
      const failed = errorAnswer(refusalOf(fault, operation, code), operation, instance);
      return { kind: 'answer', answer: { ...failed, headers: { ...failed.headers, ...extra } } };
    }
  }
}

/** Longest code of an error that can be asked for, in characters. */
const MAX_CODE_LENGTH = 100;

const FAULT = `must be a status from 200 to 599 or one of ${Object.keys(DEFAULT_WHEN).join(', ')}`;

const RULES = {
  operation: rule((value) => typeof value === 'string', 'must be text'),
  fault: rule(isFault, FAULT),
  code: rule(
    (value) => typeof value === 'string' && value !== '' && value.length <= MAX_CODE_LENGTH,
    `must be text of 1 to ${MAX_CODE_LENGTH} characters`,
  ),
  when: oneOf('before', 'after'),
  times: rule(
    (value) => isCount(value, 1) || value === Number.POSITIVE_INFINITY,
    'must be a whole number of 1 or more, or Infinity',
  ),
  probability: rule(isProbability, 'must be above 0, at most 1'),
  retryAfter: rule((value) => Number.isFinite(value) && Number(value) >= 0, 'must be 0 or more seconds'),
  bytesPerSecond: rule((value) => Number.isFinite(value) && Number(value) > 0, 'must be above 0'),
} satisfies Rules<FaultOptions>;

function isFault(value: unknown): value is Fault {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 200 && value <= 599;
  return typeof value === 'string' && Object.hasOwn(DEFAULT_WHEN, value);
}

function readOptions(given: FaultOptions): FaultOptions {
  const options = checkGiven('fail', given, RULES, TypeError);
  if (options.fault === undefined) throw new TypeError(`fail: fault ${FAULT}`);
  checkCode(options);
  return options;
}

function checkCode({ code, fault }: FaultOptions): void {
  if (code === undefined || (typeof fault === 'number' && fault >= 400)) return;
  throw new TypeError('fail: code is for a status of 400 or more');
}
