import type { WhitelistedWallet } from '../../../resources/accounts/wallets.js';
import type { State } from '../../state/state.js';
import { checked, text } from '../input.js';

export interface SandboxWallets {
  /** Returns each account's newest 10,000 wallets, oldest first. The API cannot list them. */
  list(): WhitelistedWallet[];
  /**
   * Screening will reject wallets with this address, as it does `fixtures.rejectedWalletAddress`.
   *
   * @throws TypeError for an address that is not text.
   */
  rejectAddress(address: string): void;
}

export function walletControls(state: State): SandboxWallets {
  return {
    list() {
      state.clock.catchUp();
      const accounts = [...state.accounts.values()];
      return accounts.flatMap(({ wallets }) => Array.from(wallets.values(), ({ wallet }) => ({ ...wallet })));
    },
    rejectAddress(address) {
      state.rejectedAddresses.add(checked('wallets.rejectAddress', text, address));
    },
  };
}
