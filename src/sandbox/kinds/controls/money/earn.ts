import { accountNamed, betweenTasks, checked, text } from '../../../core/input.js';
import { assetRef, type WireAssetRef } from '../../../core/market/catalogue.js';
import type { AccountState, State } from '../../../core/records/state.js';
import { changeEarnNow, creditRewards, earnOf } from '../../lifecycles/earn.js';
import { checkMove } from '../moves.js';

/** The reward of an account for an asset. */
export interface SandboxReward extends WireAssetRef {
  /** Decimal text. */
  readonly amount: string;
}

/** `sandbox.earn`: what accounts earn by themselves (`accounts.earn.auto`). */
export interface SandboxEarn {
  /**
   * Lets an account earn now: `staking` is `enabled` at once.
   *
   * @throws TypeError for an id that is not text. Error for an unknown account, and for one whose
   * `staking` is `enabled`.
   */
  enable(accountId: string): void;
  /**
   * Lets an account earn nothing from now on: `staking` is `disabled` at once.
   *
   * @throws TypeError for an id that is not text. Error for an unknown account, and for one whose
   * `staking` is `disabled`.
   */
  disable(accountId: string): void;
  /**
   * Credits the rewards of a day now, beside those of midnight. Returns them; an allocation that is
   * too small brings nothing.
   *
   * @throws TypeError for an id that is not text. Error for an unknown account, and for one that
   * does not earn.
   */
  creditRewards(accountId: string): SandboxReward[];
}

export function earnControls(state: State): SandboxEarn {
  const move = <T>(name: keyof SandboxEarn, accountId: string, run: (account: AccountState) => T): T =>
    betweenTasks(state, () => {
      const method = `earn.${name}`;
      const account = accountNamed(state, method, checked(method, text, accountId));
      checkMove('earn', method, account.id, earnOf(account).staking);
      return run(account);
    });
  return {
    enable: (accountId) => move('enable', accountId, (account) => changeEarnNow(state, account, 'enabled')),
    disable: (accountId) => move('disable', accountId, (account) => changeEarnNow(state, account, 'disabled')),
    creditRewards: (accountId) =>
      move('creditRewards', accountId, (account) =>
        creditRewards(state, account).map(({ asset, amount }) => ({ ...assetRef(asset), amount: amount.toFixed() })),
      ),
  };
}
