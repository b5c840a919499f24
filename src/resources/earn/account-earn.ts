import type { ApiPromise, UnkeyedRequestOptions } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
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

const updateBody = s.input<EarnUpdateBody>()(() => z.object({ staking: z.optional(s.oneOf(['enabled', 'disabled'])) }));

const settings = s.output<EarnSettings>()(() => z.looseObject({ staking: s.optionalText() }));

export const getAccountEarn = defineOperation('accounts.earn.auto.get', `GET ${ACCOUNT}/earn/auto`, {
  params: earnAccountParams,
  // The whole body: it has no `data`.
  answer: s.answer(settings, (body) => body),
});

export const updateAccountEarn = defineOperation('accounts.earn.auto.update', `PATCH ${ACCOUNT}/earn/auto`, {
  params: earnAccountParams,
  body: updateBody,
  answer: s.nothingBut(() => z.looseObject({})),
});

/** `client.accounts.earn.auto`: assets that earn rewards by themselves while they are held. */
export class AccountEarnAuto extends Resource {
  readonly assets = new AccountEarnAssets(this.api);
  readonly allocations = new EarnAllocations(this.api);
  readonly rewards = new EarnRewards(this.api);

  /**
   * Reads whether the account earns.
   *
   * @example
   * const { staking } = await client.accounts.earn.auto.get(accountId);
   * if (staking === 'pending_enabled') console.log('earning begins soon');
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws NotFoundError, and the errors of every call.
   */
  get(accountId: string, options?: UnkeyedRequestOptions): ApiPromise<EarnSettings> {
    return this.api.call(getAccountEarn, [accountId], options);
  }

  /**
   * Enables or disables earning. It takes effect later: `get` shows `pending_enabled` or
   * `pending_disabled` until then. The operation takes no `Idempotency-Key`. If its outcome is
   * `unknown`, `get` shows what is set, and the same update may be retried.
   *
   * The sources of this API differ in its method: this is the PATCH, one page says PUT.
   *
   * @example
   * await client.accounts.earn.auto.update(accountId, { staking: 'enabled' });
   * const { staking } = await client.accounts.earn.auto.get(accountId);
   * console.log(staking); // at first: pending_enabled
   *
   * @stability documented
   * @param accountId 5 to 42 characters.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  update(accountId: string, body: EarnUpdateBody, options?: UnkeyedRequestOptions): ApiPromise<void> {
    return this.api.call(updateAccountEarn, [accountId, body], options);
  }
}

/** `client.accounts.earn`: rewards for the assets of one account. */
export class AccountEarn extends Resource {
  readonly auto = new AccountEarnAuto(this.api);
}
