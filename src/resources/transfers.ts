import type { ApiPromise, UnkeyedRequestOptions } from '../call/caller.js';
import { type Polling, pollingOfStatus } from '../call/wait/poll.js';
import type { KnownStatus, WaitOptions } from '../call/wait/poll-options.js';
import * as s from '../schema/schema.js';
import { type Transfer, transfer } from './accounts/transfers.js';
import type { WithStatus } from './common.js';
import { defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** A transfer keeps these statuses for good. */
type TerminalStatus = 'completed' | 'failed' | 'cancelled';

export const getTransfer = defineOperation('transfers.get', 'GET /v1/transfers/{transfer_id}', {
  answer: s.data(transfer),
  correlation: [{ member: ['id'], param: 'transfer_id' }],
  waitFor: true,
});

export const cancelTransfer = defineOperation('transfers.cancel', 'POST /v1/transfers/{transfer_id}/cancel', {
  answer: { kind: 'json', unwrap: true },
});

const TERMINAL: readonly TerminalStatus[] = ['completed', 'failed', 'cancelled'];

const polling: Polling<Transfer> = pollingOfStatus(getTransfer, TERMINAL);

/** `client.transfers`: reads and cancels the transfers of all accounts. */
export class Transfers extends Resource {
  /**
   * Reads one transfer. `waitFor` polls it until its end.
   *
   * @example
   * const { status, failure_reason } = await client.transfers.get(transferId);
   * if (status === 'failed') console.log(failure_reason);
   *
   * @stability partial
   * @param transferId At least one character.
   * @throws NotFoundError, and the errors of every call.
   */
  get(transferId: string, options?: UnkeyedRequestOptions): ApiPromise<Transfer> {
    return this.api.call(getTransfer, [transferId], options);
  }

  /**
   * Cancels a `pending` transfer. It takes no idempotency key: if the answer is lost, the outcome
   * is `unknown`: read the transfer with `transfers.get`. The service does not document its answer:
   * the value is its `data`, or the whole answer if it has none.
   *
   * @example
   * await client.transfers.cancel(transferId);
   * const { status } = await client.transfers.get(transferId);
   *
   * @stability partial
   * @param transferId At least one character.
   * @throws The errors of every call.
   */
  cancel(transferId: string, options?: UnkeyedRequestOptions): ApiPromise<unknown> {
    return this.api.call(cancelTransfer, [transferId], options);
  }

  /**
   * Polls `get` until the transfer is `completed`, `failed` or `cancelled`, or until `until` is
   * met. An unknown status does not end the wait. The rest is as for `accounts.quotes.waitFor`.
   *
   * @example
   * const end = await client.transfers.waitFor(transferId, { timeout: 300_000 });
   * if (end.status === 'failed') console.log(end.failure_reason);
   *
   * @stability partial
   * @param transferId At least one character.
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s).
   *   AbortedError, and the errors of `get`.
   */
  waitFor(transferId: string, options?: WaitOptions<Transfer, never>): ApiPromise<WithStatus<Transfer, TerminalStatus>>;
  /** With one or several statuses as `until`, the result may also have one of them. */
  waitFor<const Status extends KnownStatus<Transfer>>(
    transferId: string,
    options: WaitOptions<Transfer, Status | readonly Status[]>,
  ): ApiPromise<WithStatus<Transfer, TerminalStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(transferId: string, options: WaitOptions<Transfer> | undefined): ApiPromise<Transfer>;
  waitFor(transferId: string, options?: WaitOptions<Transfer>): ApiPromise<Transfer> {
    return this.api.waitFor(polling, [transferId], options);
  }
}
