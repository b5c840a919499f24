import { type WalletWhitelistBody, whitelistWallet } from '../../../resources/accounts/wallets.js';
import type { Wire } from '../../../schema/types.js';
import type { State } from '../../core/records/state.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/request/handler.js';
import { badRequest } from '../../core/request/refusal.js';
import { whitelist } from '../lifecycles/wallets.js';
import { wrongOnNetwork } from '../shared/addresses/check-address.js';
import { BANK_RAILS, NETWORKS, networkNamed } from '../shared/addresses/networks.js';

/** Fiat rails and crypto networks. */
const RAILS: readonly string[] = [...BANK_RAILS, ...Object.keys(NETWORKS)];

export const walletHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Wire<WalletWhitelistBody>>(whitelistWallet, (state, { params, body }) => {
    const account = accountOf(state, params);
    checkDestination(state, body);
    return { data: whitelist(state, account, body) };
  }),
];

function checkDestination(state: State, { via, address, memo }: Wire<WalletWhitelistBody>): void {
  const isMemoChain = networkNamed(via)?.mark !== undefined;
  if (!isMemoChain && !RAILS.includes(via))
    throw badRequest({ field: 'via', message: 'is not a supported rail or network' });
  const missing = isMemoChain && !memo ? [{ field: 'memo', message: `is required on ${via}` }] : [];
  // A rejected address is taken on every network, so its rejection can be seen there.
  const wrong = state.rejectedAddresses.has(address) ? [] : wrongOnNetwork('address', address, via);
  const causes = [...missing, ...wrong];
  if (causes.length > 0) throw badRequest(...causes);
}
