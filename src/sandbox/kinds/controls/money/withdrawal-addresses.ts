import { accountNamed, betweenTasks, checked, text } from '../../../core/input.js';
import type { SavedAddress, State } from '../../../core/records/state.js';

/** A saved withdrawal address with its account. */
export interface SandboxWithdrawalAddress {
  readonly account: string;
  /** The name it was saved under. */
  readonly key: string;
  readonly address: string;
  readonly tag: string | null;
  readonly memo: string | null;
  /** For example `crypto:BTC`. Absent for those of early snapshots. */
  readonly asset?: string | undefined;
}

/** `sandbox.withdrawalAddresses`: the destinations of withdrawals. */
export interface SandboxWithdrawalAddresses {
  /** Returns each account's newest 10,000 withdrawal addresses, account by account. */
  list(): SandboxWithdrawalAddress[];
  /**
   * Removes a saved address, which the API cannot: withdrawals to it are answered 404. Those under
   * way go on.
   *
   * @throws TypeError for wrong input, Error for an unknown account or key.
   */
  remove(accountId: string, key: string): void;
}

export function withdrawalAddressControls(state: State): SandboxWithdrawalAddresses {
  return {
    list: () =>
      [...state.accounts.values()].flatMap(({ id, withdrawalAddresses }) =>
        Array.from(withdrawalAddresses.entries(), ([key, saved]) => shown(id, key, saved)),
      ),
    remove: (accountId, key) =>
      betweenTasks(state, () => {
        const METHOD = 'withdrawalAddresses.remove';
        const { withdrawalAddresses } = accountNamed(state, METHOD, checked(METHOD, text, accountId));
        const name = checked(METHOD, text, key);
        if (!withdrawalAddresses.has(name)) throw new Error(`${METHOD}: the account has no withdrawal address ${name}`);
        withdrawalAddresses.delete(name);
      }),
  };
}

function shown(account: string, key: string, { address, tag, memo = null, asset }: SavedAddress) {
  return { account, key, address, tag, memo, ...(asset === undefined ? {} : { asset }) };
}
