import type { Operation } from '../../schema/operation.js';
import type { Random } from '../core/basics/random.js';
import { errorAnswer, refusalOf } from '../core/request/error-answer.js';
import { BODILESS, type ConnectionAction, type HttpAnswer } from '../core/request/messages.js';
import type { DeliveryEffects } from '../webhooks/delivery/effects.js';
import { FAULT_NAMES, FAULTS, retryAfterHeader, type When } from './fault-table.js';
import { type DecidedOutcome, outcomeNamed } from './outcomes.js';
import type { Delay, Fault, TroubleOptions } from './trouble.js';

/** A fault as it applies to one request. */
export interface StrikingFault extends Omit<Fault, 'retryAfterSeconds'> {
  readonly when: When;
  readonly retryAfterSeconds?: number | undefined;
}

/** What a trouble does. */
export type Effect =
  | (Fault & { readonly sort: 'fault'; readonly when: When })
  | { readonly sort: 'chaos' }
  | (Delay & { readonly sort: 'delay' })
  | (DecidedOutcome & { readonly sort: 'outcome' })
  /** `holds`: the attempt waits, which only a planned one can. */
  | { readonly sort: 'delivery'; readonly delivery: DeliveryEffects; readonly holds: boolean };

/** Members of an error, allowed only with a status of 400 or more. */
const ERROR_MEMBERS = ['code', 'type', 'causes', 'docUrl'] as const;

/**
 * @param method Start of an error's message.
 * @throws TypeError for options that do not fit together, and for an unknown outcome.
 */
export function effectOf(method: string, options: TroubleOptions, operation: Operation | undefined): Effect {
  const { does, when } = options;
  const isFault = typeof does !== 'object' ? does !== 'chaos' : 'fault' in does;
  if (when !== undefined && !isFault) throw new TypeError(`${method}: when is for a fault`);
  if (does === 'chaos') return { sort: 'chaos' };
  if (typeof does !== 'object') return faultOf(method, { fault: does }, options);
  if ('fault' in does) return faultOf(method, does, options);
  if ('delayMs' in does) return { ...does, sort: 'delay' };
  if ('outcome' in does) return { ...outcomeNamed(method, does, operation), sort: 'outcome' };
  const { delivery } = does;
  return { sort: 'delivery', delivery, holds: delivery.delayMs !== undefined || delivery.reorder === true };
}

function faultOf(method: string, fault: Fault, { when, forMs }: TroubleOptions): Effect {
  const isError = typeof fault.fault === 'number' && fault.fault >= 400;
  const misplaced = ERROR_MEMBERS.find((name) => fault[name] !== undefined && !isError);
  if (misplaced !== undefined) throw new TypeError(`${method}: ${misplaced} is for a status of 400 or more`);
  if (fault.retryAfterSeconds === 'left' && forMs === undefined) {
    throw new TypeError(`${method}: retryAfterSeconds can be "left" only with forMs`);
  }
  return { ...fault, sort: 'fault', when: when ?? usualTimeOf(fault) };
}

function usualTimeOf({ fault }: Fault): When {
  if (typeof fault === 'number') return fault < 300 ? 'after' : 'before';
  return FAULTS[fault].when;
}

/** Returns a fault as it applies now. `until`: the end of its trouble. */
export function faultNow(fault: Fault & { readonly when: When }, until = 0, now: number): StrikingFault {
  const { retryAfterSeconds } = fault;
  if (retryAfterSeconds !== 'left') return { ...fault, retryAfterSeconds };
  return { ...fault, retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1_000)) };
}

/** Returns the delay of a response in ms. */
export function drawDelay(delayMs: Delay['delayMs'], random: Random): number {
  const [least, most] = typeof delayMs === 'number' ? [delayMs, delayMs] : delayMs;
  return least + (most - least) * random.fraction();
}

/** `Retry-After` in seconds of a status in chaos: the service is available again soon. */
const RETRY_AFTER_SECONDS = 1;

/** The faults of chaos, all with the same probability. */
const CHAOS: readonly StrikingFault[] = [
  { when: 'before', fault: 429 },
  { when: 'before', fault: 429, retryAfterSeconds: RETRY_AFTER_SECONDS },
  { when: 'before', fault: 503 },
  { when: 'before', fault: 503, retryAfterSeconds: RETRY_AFTER_SECONDS },
  { when: 'after', fault: 503 },
  { when: 'after', fault: 504 },
  ...FAULT_NAMES.flatMap((fault) => FAULTS[fault].chaos.map((entry) => ({ ...entry, fault }))),
];

/** Draws one of all faults. */
export const drawChaos = (random: Random): StrikingFault => CHAOS[random.integer(0, CHAOS.length - 1)] as StrikingFault;

const EMPTY_SUCCESS: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"data":{}}',
};

/** Returns the effect of a fault on the client. `answer` is the real response, if there is one. */
export function faultAction(
  striking: StrikingFault,
  operation: Operation | undefined,
  instance: string,
  answer: HttpAnswer = EMPTY_SUCCESS,
): ConnectionAction {
  const { fault } = striking;
  if (typeof fault === 'string') return FAULTS[fault].replace(answer, striking);
  const retryAfter = retryAfterHeader(striking);
  if (BODILESS.includes(fault)) return { kind: 'answer', answer: { status: fault, headers: retryAfter, body: '' } };
  const failed = errorAnswer(refusalOf(fault, operation, striking), operation, instance, striking);
  return { kind: 'answer', answer: { ...failed, headers: { ...failed.headers, ...retryAfter } } };
}
