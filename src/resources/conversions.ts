import type { ApiPromise, UnkeyedRequestOptions } from '../call/caller.js';
import { type Polling, pollingOfStatus } from '../call/wait/poll.js';
import type { KnownStatus, WaitOptions } from '../call/wait/poll-options.js';
import * as s from '../schema/schema.js';
import { type Conversion, conversion } from './accounts/conversions.js';
import type { WithStatus } from './common.js';
import { defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** A conversion keeps these statuses for good. */
type TerminalStatus = 'completed' | 'failed';

export const getConversion = defineOperation('conversions.get', 'GET /v1/conversions/{conversion_id}', {
  answer: s.data(conversion),
  correlation: [{ member: ['id'], param: 'conversion_id' }],
  waitFor: true,
});

const TERMINAL: readonly TerminalStatus[] = ['completed', 'failed'];

const polling: Polling<Conversion> = pollingOfStatus(getConversion, TERMINAL);

/** `client.conversions`: reads the conversions of all accounts. */
export class Conversions extends Resource {
  /**
   * Reads one conversion. `waitFor` polls it until its end.
   *
   * @example
   * const { status, inbound } = await client.conversions.get(conversionId);
   * if (status === 'pending_deposit') console.log(inbound?.address, inbound?.routing);
   *
   * @stability documented
   * @param conversionId At least one character.
   * @throws NotFoundError, and the errors of every call.
   */
  get(conversionId: string, options?: UnkeyedRequestOptions): ApiPromise<Conversion> {
    return this.api.call(getConversion, [conversionId], options);
  }

  /**
   * Polls `get` until the conversion is `completed` or `failed`, or until `until` is met. An
   * unknown status does not end the wait. A deposit may take days: choose `timeout` accordingly.
   * The rest is as for `accounts.quotes.waitFor`.
   *
   * @example
   * const end = await client.conversions.waitFor(conversionId, { timeout: 600_000 });
   * if (end.status === 'completed') console.log(end.to?.asset?.amount?.toFixed());
   *
   * @stability documented
   * @param conversionId At least one character.
   * @throws TimeoutError when the wait takes longer than its `timeout` (default 60 s).
   *   AbortedError, and the errors of `get`.
   */
  waitFor(
    conversionId: string,
    options?: WaitOptions<Conversion, never>,
  ): ApiPromise<WithStatus<Conversion, TerminalStatus>>;
  /** With one or several statuses as `until`, the result may also have one of them. */
  waitFor<const Status extends KnownStatus<Conversion>>(
    conversionId: string,
    options: WaitOptions<Conversion, Status | readonly Status[]>,
  ): ApiPromise<WithStatus<Conversion, TerminalStatus | Status>>;
  /** With a function as `until`, the result may have any status. */
  waitFor(conversionId: string, options: WaitOptions<Conversion> | undefined): ApiPromise<Conversion>;
  waitFor(conversionId: string, options?: WaitOptions<Conversion>): ApiPromise<Conversion> {
    return this.api.waitFor(polling, [conversionId], options);
  }
}
