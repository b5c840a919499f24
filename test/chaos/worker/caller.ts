import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, isPartnerError, type PartnerClient, type RequestOptions } from '../../../src/index.js';
import { type CallEnd, type EndError, TAG } from '../judge/evidence.js';
import type { Answered, World } from '../plan/kinds.js';
import { type CallPlan, kindOf } from '../plan/plan.js';

/** How long after its deadline a call that has not ended is given up, in milliseconds. */
const GIVEN_UP_AFTER = 30_000;

/** How long a settlement may take, in milliseconds. */
const SETTLED_WITHIN = 8_000;

/** How long an attempt of it may take, in milliseconds. */
const SETTLING_ATTEMPT = 900;

export class ChaosCaller {
  constructor(
    readonly client: PartnerClient,
    /** Settles what ended `unknown`. */
    readonly settler: PartnerClient,
    readonly world: World & { readonly incarnation: number },
    readonly longLived: AbortSignal,
  ) {}

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
    const tag = `${id}.${this.world.incarnation}`;
    const controller = new AbortController();
    const timer = scheduleAbort(controller, plan.abortAfter);
    try {
      const { attempts, idempotencyKey, foreign } = await this.#send(plan, tag, controller);
      return { id, tag, ok: true, attempts, idempotencyKey, foreign, error: undefined };
    } catch (error) {
      const facts = isPartnerError(error) ? error : undefined;
      // Those of repeated calls are not counted.
      const attempts = plan.settles && facts?.outcome === 'unknown' ? undefined : facts?.attempts.count;
      const idempotencyKey = facts?.idempotencyKey;
      return { id, tag, ok: false, attempts, idempotencyKey, foreign: undefined, error: described(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(plan: CallPlan, tag: string, controller: AbortController): Promise<Answered> {
    const { client, settler, world, longLived } = this;
    const { maxRetries, timeout, attemptTimeout, idempotencyKey } = plan;
    const { send } = kindOf(plan.kind);
    const common: RequestOptions = { maxRetries, attemptTimeout, headers: { [TAG]: tag } };
    const signal = { none: undefined, own: controller.signal, 'long-lived': longLived }[plan.signal];
    const options: RequestOptions = { ...common, timeout, idempotencyKey, signal };
    const sending = send(client, world, plan.subject, options);
    if (plan.abortAfter === 0) controller.abort(new Error('aborted at once'));
    if (!plan.settles) return sending;
    const again = (more: RequestOptions) =>
      send(settler, world, plan.subject, { ...common, attemptTimeout: SETTLING_ATTEMPT, ...more });
    try {
      return await sending;
    } catch (error) {
      // The attempts before are not counted here.
      return { ...(await settler.settle(error, again, { timeout: SETTLED_WITHIN })), attempts: undefined };
    }
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
