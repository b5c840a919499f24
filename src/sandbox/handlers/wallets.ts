import {
  MEMO_CHAINS,
  type WalletWhitelistBody,
  type WhitelistedWallet,
  whitelistWallet,
} from '../../resources/accounts/wallets.js';
import { timestamp } from '../clock.js';
import { badRequest } from '../errors.js';
import type { Wire } from '../wire.js';
import { type AccountParams, accountOf, type Handler, handle } from './handler.js';

/** How long screening takes, in milliseconds. */
const SCREENING_MS = 5_000;

/** `spec.md`, Whitelist wallet: fiat rails and crypto networks. */
const RAILS: readonly string[] = [
  ...['sepa', 'fps', 'fedwire', 'ach', 'swift'],
  ...['bitcoin', 'ethereum', 'solana', 'tron', 'polygon', 'arbitrum'],
];

/** Other names of the memo chains, under which this service knows them as well. */
const MEMO_CHAIN_ALIASES: readonly string[] = ['ripple', 'stellar', 'atom'];

export const walletHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Wire<WalletWhitelistBody>>(whitelistWallet, (state, { params, body }) => {
    const account = accountOf(state, params);
    checkRail(body);
    const wallet: Wire<WhitelistedWallet> = {
      account: account.id,
      id: state.random.uuid(),
      via: body.via,
      address: body.address,
      status: 'pending',
      ...(body.external_user_id === undefined ? {} : { external_user_id: body.external_user_id }),
      created_at: timestamp(state.clock.now()),
    };
    account.wallets.push(wallet);
    state.clock.plan(state.clock.now() + SCREENING_MS, () => {
      wallet.status = wallet.address === state.rejectedWalletAddress ? 'rejected' : 'approved';
    });
    return { data: wallet };
  }),
];

function checkRail({ via, memo }: Wire<WalletWhitelistBody>): void {
  const isMemoChain = [...MEMO_CHAINS, ...MEMO_CHAIN_ALIASES].includes(via.toLowerCase());
  if (!isMemoChain && !RAILS.includes(via))
    throw badRequest({ field: 'via', message: 'is not a supported rail or network' });
  if (isMemoChain && !memo) throw badRequest({ field: 'memo', message: `is required on ${via}` });
}
