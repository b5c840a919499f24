import {
  checkGiven,
  isRecord,
  MILLISECONDS,
  MILLISECONDS_OR_0,
  objectOf,
  oneOf,
  type Rules,
  rule,
  wholeNumber,
} from '../../../util/options.js';
import { countOf, TIMES } from '../../core/basics/times.js';
import type { Cause } from '../../core/request/refusal.js';
import { FAULT_NAMES, FAULTS, type FaultName, type When } from './fault-table.js';
import { MATCH_RULES, type RequestMatch } from './request-match.js';

/**
 * A kind of fault. A status from 200 to 599 is answered in the service's error form; 204, 205 and
 * 304 have no body. docs/sandbox/sandbox-trouble.md describes the effect of each name.
 */
export type FaultKind = number | FaultName;

/** The requests that a fault applies to. */
export interface FaultMatch extends RequestMatch {
  /** The first matching request that it applies to, counted from 1. Default 1. */
  readonly nth?: number | undefined;
}

/** Options of a fault: see `Sandbox.fail`. */
export interface FaultOptions {
  /**
   * The only operation that it applies to: `accounts.quotes.get`, `quotes.get` or `Get quote`.
   * Default: every request.
   */
  readonly operation?: string | undefined;
  /**
   * The only requests of the operation that it applies to. Default: all of them.
   *
   * @example
   * const match = { account: accountId, nth: 2 };
   * sandbox.fail({ operation: 'accounts.quotes.get', match, fault: 503 }); // the second one fails
   */
  readonly match?: FaultMatch | undefined;
  /**
   * A status from 200 to 599, or a name: `reset` breaks the connection, `timeout` never answers.
   */
  readonly fault: FaultKind;
  /**
   * The error's `code`, 1 to 100 characters, with a status of 400 or more. Default: the code that
   * the operation declares for the status, for example `user_not_found` for a 404 of `users.get`. A
   * 403 is by default that of a gateway (`gateway`, type `service_error`); `forbidden` is the
   * service's own.
   */
  readonly code?: string | undefined;
  /** The error's `type`, 1 to 100 characters, with a status of 400 or more. */
  readonly type?: string | undefined;
  /**
   * The error's `causes`, at least one, with a status of 400 or more.
   *
   * @example
   * const causes = [{ field: 'phone', message: 'is not a number' }];
   * sandbox.fail({ operation: 'users.update', fault: 400, causes });
   */
  readonly causes?: readonly Cause[] | undefined;
  /** The error's `doc_url`, 1 to 2,000 characters, with a status of 400 or more. */
  readonly docUrl?: string | undefined;
  /**
   * Time at which the fault applies:
   *
   * - `before`: nothing happens and the nonce is not consumed, as when a gateway fails. A fault
   *   that spoils a good answer then spoils a 200 with empty `data`.
   * - `after`: the request succeeds, its effect is remembered under its key, then the answer fails.
   *   Requests that are refused anyway do not count.
   *
   * Default: `after` for a status below 300 and for faults that change a good answer, since both
   * mean that the effect happened; `before` for all others.
   */
  readonly when?: When | undefined;
  /**
   * Number of requests that fail: an integer of 1 or more, or `always`. Default 1; `always` with
   * `for`.
   */
  readonly times?: number | 'always' | undefined;
  /** Time in ms of the sandbox's clock after which it ends, above 0. Default: no end. */
  readonly for?: number | undefined;
  /** Time in ms of the sandbox's clock after which it starts; `for` counts from then. Default 0. */
  readonly afterMs?: number | undefined;
  /** Probability that it applies to a request, above 0 to 1, drawn from the seed. Default 1. */
  readonly probability?: number | undefined;
  /**
   * `Retry-After` of a status or of `html`: seconds, 0 or more; or `left`, the rest of `for` in
   * seconds, rounded up. Default: not sent.
   */
  readonly retryAfterSeconds?: number | 'left' | undefined;
  /** Speed of the body of a `slow` answer, in bytes per second, above 0. Default 10. */
  readonly bytesPerSecond?: number | undefined;
}

export interface CheckedFault extends Omit<FaultOptions, 'when' | 'times'> {
  readonly when: When;
  readonly times: number;
}

/** A fault as it applies to one request. */
export interface StrikingFault extends Omit<CheckedFault, 'times' | 'retryAfterSeconds'> {
  readonly retryAfterSeconds?: number | undefined;
}

/** Maximum length of `code` and `type` in characters; a longer one is refused. */
const MAX_CODE_LENGTH = 100;
/** Maximum length of `docUrl` in characters; a longer one is refused. */
const MAX_URL_LENGTH = 2_000;

const FAULT = `must be a status from 200 to 599 or one of ${FAULT_NAMES.join(', ')}`;

const textUpTo = (length: number) =>
  rule(
    (value) => typeof value === 'string' && value !== '' && value.length <= length,
    `must be text of 1 to ${length} characters`,
  );

const RULES = {
  operation: rule((value) => typeof value === 'string', 'must be text'),
  match: objectOf({ ...MATCH_RULES, nth: wholeNumber(1) }),
  fault: { ...rule(isFaultKind, FAULT), required: true },
  code: textUpTo(MAX_CODE_LENGTH),
  type: textUpTo(MAX_CODE_LENGTH),
  causes: rule(isCauses, 'must be a list of { field, message }, both text, at least one', copyCauses),
  docUrl: textUpTo(MAX_URL_LENGTH),
  when: oneOf('before', 'after'),
  times: TIMES,
  for: MILLISECONDS,
  afterMs: MILLISECONDS_OR_0,
  probability: rule(isProbability, 'must be above 0, at most 1'),
  retryAfterSeconds: rule((value) => value === 'left' || isSeconds(value), 'must be 0 or more seconds, or "left"'),
  bytesPerSecond: rule((value) => Number.isFinite(value) && Number(value) > 0, 'must be above 0'),
} satisfies Rules<FaultOptions>;

/** Members of an error, allowed only with a status of 400 or more. */
const ERROR_MEMBERS = ['code', 'type', 'causes', 'docUrl'] as const;

function isSeconds(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) >= 0;
}

function isCauses(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isCause);
}

function isCause(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  const { field, message } = value as Partial<Cause>;
  return typeof field === 'string' && typeof message === 'string';
}

function copyCauses(value: unknown): unknown {
  return Array.isArray(value) ? value.map((cause) => (isRecord(cause) ? { ...cause } : cause)) : value;
}

function isFaultKind(value: unknown): value is FaultKind {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 200 && value <= 599;
  return typeof value === 'string' && Object.hasOwn(FAULTS, value);
}

export function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1;
}

/**
 * Reads and checks the options of a fault.
 *
 * @param method Start of each message, for example `fail`.
 * @throws TypeError for an unknown or wrong option.
 */
export function readFault(method: string, given: FaultOptions): CheckedFault {
  const options = checkGiven(method, given, RULES, TypeError);
  const { fault, for: lasts } = options;
  const isError = typeof fault === 'number' && fault >= 400;
  const misplaced = ERROR_MEMBERS.find((name) => options[name] !== undefined && !isError);
  if (misplaced !== undefined) throw new TypeError(`${method}: ${misplaced} is for a status of 400 or more`);
  if (options.retryAfterSeconds === 'left' && lasts === undefined) {
    throw new TypeError(`${method}: retryAfterSeconds can be "left" only with for`);
  }
  const { times = lasts === undefined ? 1 : 'always' } = options;
  return {
    ...options,
    when: options.when ?? defaultWhen(fault),
    times: countOf(times),
  };
}

function defaultWhen(fault: FaultKind): When {
  if (typeof fault === 'number') return fault < 300 ? 'after' : 'before';
  return FAULTS[fault].when;
}
