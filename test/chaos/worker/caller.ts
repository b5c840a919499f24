import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, isPartnerError, type PartnerClient, type RequestOptions } from '../../../src/index.js';
import { type CallEnd, type EndError, TAG } from '../judge/evidence.js';
import type { Answered, World } from '../plan/kinds.js';
import { type CallPlan, kindOf } from '../plan/plan.js';

/** How long after its deadline a call that has not ended is given up, in milliseconds. */
const GIVEN_UP_AFTER = 30_000;

export class ChaosCaller {
  readonly #client: PartnerClient;
  readonly #world: World;
  readonly #longLived: AbortSignal;
  readonly #incarnation: number;

  constructor(client: PartnerClient, world: World, longLived: AbortSignal, incarnation: number) {
    this.#client = client;
    this.#world = world;
    this.#longLived = longLived;
    this.#incarnation = incarnation;
  }

  /** Undefined when the call has not ended long after its deadline. */
  async make(plan: CallPlan): Promise<CallEnd | undefined> {
    const givenUp = new AbortController();
    const late = sleep(plan.timeout + GIVEN_UP_AFTER, undefined, { signal: givenUp.signal }).catch(() => undefined);
    const end = await Promise.race([this.#settle(plan), late]);
    givenUp.abort();
    return end;
  }

  async #settle(plan: CallPlan): Promise<CallEnd> {
    const { id } = plan;
    const tag = `${id}.${this.#incarnation}`;
    const controller = new AbortController();
    const timer = scheduleAbort(controller, plan.abortAfter);
    try {
      const { attempts, idempotencyKey, foreign } = await this.#send(plan, tag, controller);
      return { id, tag, ok: true, attempts, idempotencyKey, foreign, error: undefined };
    } catch (error) {
      const facts = isPartnerError(error) ? error : undefined;
      const attempts = facts?.attempts.count;
      const idempotencyKey = facts?.idempotencyKey;
      return { id, tag, ok: false, attempts, idempotencyKey, foreign: undefined, error: described(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  #send(plan: CallPlan, tag: string, controller: AbortController): Promise<Answered> {
    const { maxRetries, timeout, attemptTimeout, idempotencyKey } = plan;
    const options: RequestOptions = {
      ...{ maxRetries, timeout, attemptTimeout, headers: { [TAG]: tag } },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      ...(plan.signal === 'own' ? { signal: controller.signal } : {}),
      ...(plan.signal === 'long-lived' ? { signal: this.#longLived } : {}),
    };
    const sending = kindOf(plan.kind).send(this.#client, this.#world, plan.subject, options);
    if (plan.abortAfter === 0) controller.abort(new Error('aborted at once'));
    return sending;
  }
}

function scheduleAbort(controller: AbortController, after: number | undefined): NodeJS.Timeout | undefined {
  if (after !== undefined && after < 0) controller.abort(new Error('aborted before'));
  if (after === undefined || after <= 0) return undefined;
  return setTimeout(() => controller.abort(new Error('aborted')), after);
}

function described(error: unknown): EndError {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const facts = isPartnerError(error) ? error : undefined;
  return {
    name: thrown.name,
    message: thrown.message,
    partner: facts !== undefined,
    outcome: facts?.outcome,
    status: error instanceof ApiError ? error.response.status : undefined,
    failures: (facts?.attempts.failures ?? []).map(({ reason, status: answered, code }) =>
      [reason, answered, code].filter((part) => part !== undefined).join(' '),
    ),
    cause: thrown.cause instanceof Error ? `${thrown.cause.name}: ${thrown.cause.message}` : undefined,
  };
}
