// Makes one payout of the queue, for the worker and for the nightly job.
import {
  ApiError,
  ConflictError,
  idempotencyKeyFor,
  isPartnerError,
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

/** How far a clock may be set back. After more than this, nobody knows how old a payout is. */
const CLOCK_MS = 60_000;

/** The members of a payout that the service may name when it rejects one. */
const MEMBERS: readonly unknown[] = ['asset_symbol', 'key', 'amount'];

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
  const { id, payout } = job;
  const isFirst = job.begun === undefined;
  const age = Date.now() - (job.begun ?? Date.now());
  if (age > KEYS_LAST_MS) return queue.finish(job, 'unclear', { reason: 'it was sent too long ago' });
  if (age < -CLOCK_MS) return queue.finish(job, 'unclear', { reason: 'the clock was wrong when it was sent' });
  // On the disk before the request leaves: a process that is killed has no time to write anything.
  const begun = await queue.begin(job);
  const withdraw = (options: RequestOptions) =>
    client.funds.withdrawals.create(accountId, payout, { signal, ...options });
  try {
    const first = withdraw({ idempotencyKey: idempotencyKeyFor('payouts', 'funds.withdrawals.create', accountId, id) });
    const { ref_id, total } = await first.catch((error: unknown) =>
      client.settle(error, withdraw, { timeout: SETTLE_MS, signal }),
    );
    // What the account pays with the fee: no later read shows it.
    await queue.finish(begun, 'done', { ref_id, ...(total && { total: total.toFixed() }) });
  } catch (error) {
    if (!isPartnerError(error)) throw error;
    console.error(`${id}: ${error}`);
    const mayBeApplied = error.outcome !== 'not_applied';
    // Aborted, unknown, or a trouble that passes: the next call has the same idempotency key.
    if (mayBeApplied || !isFinal(error)) return queue.putBack(begun, { isNew: isFirst && !mayBeApplied });
    // Another request may have been accepted: an earlier one, or one with this idempotency key.
    const isUnclear = !isFirst || error instanceof ConflictError;
    await queue.finish(begun, isUnclear ? 'unclear' : 'rejected', { reason: `${error}` });
  }
}

/**
 * True if the service will never make this payout, whenever it is sent. A wrong base URL, account
 * id or API key rejects every payout until somebody corrects it, so those rejections aren't final.
 * Neither is the response of a proxy, which has no code.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof RequestValidationError)
    return error.issues.every(({ path }) => path !== 'account_id' && !path.startsWith('options.'));
  if (!(error instanceof ApiError) || error.code === '') return false;
  const { status } = error.response;
  if (status === 409) return true;
  const fields = error.causes.flatMap(({ field }) => field ?? []);
  if (fields.length === 0) return status === 400 || status === 422;
  return [400, 404, 422].includes(status) && fields.some((field) => MEMBERS.includes(field));
}
