import type { WhitelistedWallet } from '../../../../resources/accounts/wallets.js';
import type { Wire } from '../../../../schema/types.js';
import { betweenTasks, checked, text } from '../../../core/input.js';
import type { State, WalletRecord } from '../../../core/records/state.js';
import { decideWallet, dropScreening } from '../../lifecycles/wallets.js';
import { checkMove } from '../moves.js';

/** `sandbox.wallets`: the screening of whitelisted wallets. */
export interface SandboxWallets {
  /** Returns each account's newest 10,000 wallets, oldest first. The API cannot list them. */
  list(): WhitelistedWallet[];
  /**
   * Ends the screening of a pending wallet now: `approved`, even if its address is to be rejected.
   *
   * @throws TypeError for an id that is not text. Error for an unknown wallet, and for one that is
   * not `pending`.
   */
  approve(walletId: string): Wire<WhitelistedWallet>;
  /**
   * Ends the screening of a pending wallet now: `rejected`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown wallet, and for one that is
   * not `pending`.
   */
  reject(walletId: string): Wire<WhitelistedWallet>;
  /**
   * Ends the screening of a pending wallet without a result: it stays `pending` until `approve` or
   * `reject`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown wallet, and for one that is
   * not `pending`.
   */
  keepPending(walletId: string): Wire<WhitelistedWallet>;
  /** The addresses that screening rejects, oldest first. */
  readonly rejectedAddresses: readonly string[];
  /**
   * Screening will reject wallets with this address, as it does `fixtures.rejectedWalletAddress`.
   *
   * @throws TypeError for an address that is not text.
   */
  rejectAddress(address: string): void;
  /**
   * Screening will approve wallets with this address again. Wallets that were rejected stay so.
   *
   * @throws TypeError for an address that is not text, Error for one that is not rejected.
   */
  unrejectAddress(address: string): void;
}

export function walletControls(state: State): SandboxWallets {
  const move = (
    name: 'approve' | 'reject' | 'keepPending',
    walletId: string,
    run: (record: WalletRecord) => void,
  ): Wire<WhitelistedWallet> =>
    betweenTasks(state, () => {
      const record = walletToMove(state, `wallets.${name}`, walletId);
      run(record);
      return record.wallet;
    });
  return {
    list() {
      state.clock.catchUp();
      const accounts = [...state.accounts.values()];
      return accounts.flatMap(({ wallets }) => Array.from(wallets.values(), ({ wallet }) => ({ ...wallet })));
    },
    approve: (walletId) => move('approve', walletId, (record) => decideWallet(state, record, 'approved')),
    reject: (walletId) => move('reject', walletId, (record) => decideWallet(state, record, 'rejected')),
    keepPending: (walletId) => move('keepPending', walletId, (record) => dropScreening(state, record)),
    get rejectedAddresses() {
      return [...state.rejectedAddresses];
    },
    rejectAddress(address) {
      state.rejectedAddresses.add(checked('wallets.rejectAddress', text, address));
    },
    unrejectAddress(address) {
      const given = checked('wallets.unrejectAddress', text, address);
      if (state.rejectedAddresses.delete(given)) return;
      throw new Error(`wallets.unrejectAddress: the address ${given} is not rejected: see wallets.rejectedAddresses`);
    },
  };
}

function walletToMove({ accounts }: State, method: string, given: string): WalletRecord {
  const id = checked(method, text, given);
  const record = [...accounts.values()].map(({ wallets }) => wallets.get(id)).find((one) => one !== undefined);
  if (record === undefined) throw new Error(`${method}: there is no wallet ${id}`);
  checkMove('wallets', method, id, record.wallet.status);
  return record;
}
