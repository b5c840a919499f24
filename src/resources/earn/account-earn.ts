import * as z from 'zod/mini';
import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import { defineOperation, type Operation } from '../../schema/operation.js';
import { answer, input, nothing, oneOf, output } from '../../schema/schema.js';
import { Resource } from '../resource.js';
import { EarnAllocations } from './allocations.js';
import { AccountEarnAssets } from './assets.js';
import { earnAccountParams } from './common.js';
import { EarnRewards } from './rewards.js';

/** The state of automatic earning. A change takes effect later: until then it is pending. */
export type EarnStatus = 'enabled' | 'disabled' | 'pending_enabled' | 'pending_disabled' | (string & {});

/** Automatic earning of an account, by the kind of earning. */
export interface EarnSettings {
  staking?: EarnStatus | undefined;
}

/** The kinds of earning to change. A kind that is left out stays as it is. */
export interface EarnUpdateBody {
  staking?: 'enabled' | 'disabled' | (string & {}) | undefined;
}

const updateBody = input<EarnUpdateBody>()(() => z.object({ staking: z.optional(oneOf(['enabled', 'disabled'])) }));

const settings = output<EarnSettings>()(() => z.looseObject({ staking: z.optional(z.string()) }));

export const getAccountEarn: Operation<EarnSettings> = defineOperation({
  name: 'accounts.earn.auto.get',
  title: 'Get auto earn settings',
  stability: 'documented',
  route: 'GET /v1/accounts/{account_id}/earn/auto',
  params: earnAccountParams,
  // The whole body: it has no `data`.
  answer: answer(settings, (body) => body),
});

export const updateAccountEarn: Operation<void> = defineOperation({
  name: 'accounts.earn.auto.update',
  title: 'Update auto earn settings',
  stability: 'documented',
  route: 'PATCH /v1/accounts/{account_id}/earn/auto',
  params: earnAccountParams,
  body: updateBody,
  answer: nothing,
});

/** `client.accounts.earn.auto`: assets that earn rewards by themselves while they are held. */
export class AccountEarnAuto extends Resource {
  readonly assets = new AccountEarnAssets(this.caller);
  readonly allocations = new EarnAllocations(this.caller);
  readonly rewards = new EarnRewards(this.caller);

  /**
   * Reads whether the account earns.
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, options?: UnkeyedRequestOptions): ApiPromise<EarnSettings> {
    return this.caller.call(getAccountEarn, { params: { account_id: accountId } }, options);
  }

  /**
   * Enables or disables earning. It takes effect later: `get` shows `pending_enabled` or
   * `pending_disabled` until then. The operation takes no `Idempotency-Key`. If its outcome is
   * `unknown`, `get` tells what is set, and the same update may be made again.
   *
   * The sources of this API differ in its method: this is the PATCH, one page says PUT.
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  update(accountId: string, body: EarnUpdateBody, options?: UnkeyedRequestOptions): ApiPromise<void> {
    return this.caller.call(updateAccountEarn, { params: { account_id: accountId }, body }, options);
  }
}

/** `client.accounts.earn`: rewards for the assets of one account. */
export class AccountEarn extends Resource {
  readonly auto = new AccountEarnAuto(this.caller);
}
