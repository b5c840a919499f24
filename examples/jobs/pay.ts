// Makes one payout of the queue, for the worker and for the nightly job.
import {
  BadRequestError,
  ConflictError,
  idempotencyKeyFor,
  isPartnerError,
  NotFoundError,
  type PartnerClient,
  type RequestOptions,
  RequestValidationError,
} from 'partner-sdk';
import type { Job, Queue } from './queue.js';

/** Time for which a call of unknown outcome is made again. After it, the payout is tried later. */
const SETTLE_MS = 60_000;

/**
 * The service does not document how long it remembers an idempotency key. Ask
 * (docs/reference/questions.md of the package), and write a shorter time here.
 */
const KEYS_LAST_MS = 12 * 60 * 60 * 1_000;

/** What payouts need besides themselves. */
export interface Paying {
  readonly client: PartnerClient;
  readonly accountId: string;
  readonly queue: Queue;
  /** Ends the calls that still run. */
  readonly signal: AbortSignal;
}

/** Makes a payout, or leaves it in the queue if a later call has to find out what became of it. */
export async function pay({ client, accountId, queue, signal }: Paying, job: Job): Promise<void> {
  const { id, payout, begun } = job;
  if (begun !== undefined && Date.now() - begun > KEYS_LAST_MS) {
    return queue.finish(job, 'unclear', { reason: 'it was sent too long ago' });
  }
  // On the disk before the request leaves: a process that is killed has no time to write anything.
  await queue.begin(job);
  const withdraw = (options: RequestOptions) =>
    client.funds.withdrawals.create(accountId, payout, { signal, ...options });
  try {
    const first = withdraw({ idempotencyKey: idempotencyKeyFor('payouts', 'funds.withdrawals.create', accountId, id) });
    const { ref_id } = await first.catch((error: unknown) =>
      client.settle(error, withdraw, { timeout: SETTLE_MS, signal }),
    );
    await queue.finish(job, 'done', { ref_id });
  } catch (error) {
    if (!isPartnerError(error)) throw error;
    console.error(`${id}: ${error}`);
    // Aborted, unknown, or a trouble that passes: the next call has the same idempotency key.
    if (error.outcome !== 'not_applied' || !isFinal(error)) return queue.putBack(job);
    // An earlier request may have been accepted, so this rejection says nothing about it.
    await queue.finish(job, begun === undefined ? 'rejected' : 'unclear', { reason: `${error}` });
  }
}

/** True if the service will never make this payout, whenever it is sent. */
function isFinal(error: unknown): boolean {
  return [RequestValidationError, BadRequestError, NotFoundError, ConflictError].some((one) => error instanceof one);
}
