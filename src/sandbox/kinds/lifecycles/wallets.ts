import type { WalletWhitelistBody, WhitelistedWallet } from '../../../resources/accounts/wallets.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import type { Task } from '../../core/clock/task.js';
import type { AccountState, State, WalletRecord } from '../../core/records/state.js';

const SCREENING_MS = 5_000;

/** Whitelists a wallet: `pending` until it is screened. */
export function whitelist(
  state: State,
  account: AccountState,
  { via, address, memo, external_user_id }: Wire<WalletWhitelistBody>,
): Wire<WhitelistedWallet> {
  const wallet: Wire<WhitelistedWallet> = {
    account: account.id,
    id: state.random.uuid(),
    via,
    address,
    status: 'pending',
    ...(external_user_id === undefined ? {} : { external_user_id }),
    created_at: timestamp(state.clock.now()),
  };
  for (const forgotten of account.wallets.set(wallet.id, { wallet, memo })) {
    dropScreening(state, forgotten);
  }
  state.clock.plan(state.clock.now() + SCREENING_MS, { kind: 'wallet.screen', account: account.id, wallet: wallet.id });
  return wallet;
}

/** `pending → approved | rejected`. */
export function screenWallet(state: State, task: Extract<Task, { wallet: string }>): void {
  const record = state.accounts.get(task.account)?.wallets.get(task.wallet);
  if (record === undefined) return;
  const isRejected = task.rejects === true || state.rejectedAddresses.has(record.wallet.address);
  decideWallet(state, record, isRejected ? 'rejected' : 'approved');
}

/** `pending → approved | rejected`, whatever its address is. */
export function decideWallet(state: State, record: WalletRecord, status: 'approved' | 'rejected'): void {
  dropScreening(state, record);
  record.wallet.status = status;
  state.events.emit('wallet.whitelisted', record.wallet);
}

/** A wallet that is not screened stays `pending`. */
export function dropScreening({ clock }: State, { wallet }: WalletRecord): void {
  clock.drop((task) => task.kind === 'wallet.screen' && task.wallet === wallet.id);
}
