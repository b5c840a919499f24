import type { WalletWhitelistBody, WhitelistedWallet } from '../../resources/accounts/wallets.js';
import type { Wire } from '../../schema/types.js';
import { timestamp } from '../state/clock.js';
import type { AccountState, State } from '../state/state.js';

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
    state.clock.drop((task) => task.kind === 'wallet.screen' && task.wallet === forgotten.wallet.id);
  }
  state.clock.plan(state.clock.now() + SCREENING_MS, { kind: 'wallet.screen', account: account.id, wallet: wallet.id });
  return wallet;
}

/** `pending → approved | rejected`. */
export function screenWallet(state: State, task: { readonly account: string; readonly wallet: string }): void {
  const { wallet } = state.accounts.get(task.account)?.wallets.get(task.wallet) ?? {};
  if (wallet === undefined) return;
  wallet.status = state.rejectedAddresses.has(wallet.address) ? 'rejected' : 'approved';
  state.webhooks.emit('wallet.whitelisted', wallet);
}
