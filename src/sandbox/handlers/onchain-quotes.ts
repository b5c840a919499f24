import {
  createOnchainQuote,
  type OnchainQuote,
  type OnchainQuoteCreateBody,
} from '../../resources/accounts/onchain-quotes.js';
import type { Wire } from '../../schema/types.js';
import { wrongOnNetwork } from '../addresses/check-address.js';
import { QUOTE_TTL_MS } from '../lifecycles/quotes.js';
import { priceSwap, type Swap } from '../lifecycles/swaps.js';
import { badRequest } from '../refusal.js';
import { evmAddress } from '../seed/addresses.js';
import { type Asset, assetRef } from '../state/catalogue.js';
import { timestamp } from '../state/clock.js';
import { Money } from '../state/money.js';
import { ALPHABETS } from '../state/random.js';
import type { State } from '../state/state.js';
import { type AccountParams, accountOf, type Handler, handle } from './handler.js';

/** Chain ids of the networks on which swaps are settled. */
const CHAIN_IDS: Readonly<Record<string, string>> = { ethereum: '1', polygon: '137', arbitrum: '42161' };

/** Wallet-funded quotes are for tokenised stocks and stablecoins. */
const ONCHAIN_TYPES: readonly string[] = ['xstock', 'stablecoin'];

type Body = Wire<OnchainQuoteCreateBody>;

export const onchainQuoteHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Body>(createOnchainQuote, (state, { params, body }) => {
    accountOf(state, params);
    const chainId = checkedChain(body);
    const swap = priceSwap(state, body.from, body.to);
    return { data: offer(state, swap, body.from.wallet.address, chainId) };
  }),
];

function checkedChain({ from, to }: Body): string {
  for (const [field, { type }] of [['from.type', from] as const, ['to.type', to] as const]) {
    if (!ONCHAIN_TYPES.includes(type)) throw badRequest({ field, message: 'must be xstock or stablecoin' });
  }
  const { address, network } = from.wallet;
  const causes = wrongOnNetwork('from.wallet.address', address, network);
  const chainId = Object.hasOwn(CHAIN_IDS, network) ? CHAIN_IDS[network] : undefined;
  if (chainId === undefined) {
    causes.push({ field: 'from.wallet.network', message: `must be one of ${Object.keys(CHAIN_IDS).join(', ')}` });
  }
  if (chainId === undefined || causes.length > 0) throw badRequest(...causes);
  return chainId;
}

function offer(state: State, swap: Swap, clientAddress: string, chainId: string): Wire<OnchainQuote> {
  const { clock, random } = state;
  const id = random.uuid();
  const expiresAt = clock.now() + QUOTE_TTL_MS;
  const proxyAddress = evmAddress(random);
  const transfer = (from: string, to: string, asset: Asset, amount: string) => ({
    from,
    to,
    token: evmAddress(random),
    amount: baseUnits(amount, asset),
  });
  const signature = (): string => `0x${random.text(130, ALPHABETS.hex)}`;
  return {
    id,
    status: 'offered',
    expires_at: timestamp(expiresAt),
    from: { ...assetRef(swap.from), amount: swap.fromAmount },
    to: { ...assetRef(swap.to), amount: swap.toAmount },
    execution_details: {
      chain_id: chainId,
      proxy_address: proxyAddress,
      proxy_swap_message: {
        atomic_message: {
          quote_id: id,
          expiration: Math.floor(expiresAt / 1000),
          incoming_transfer: transfer(clientAddress, proxyAddress, swap.from, swap.fromAmount),
          outgoing_transfer: transfer(proxyAddress, clientAddress, swap.to, swap.toAmount),
        },
        atomic_signature: signature(),
        signature: signature(),
        client_address: clientAddress,
      },
    },
  };
}

/** Returns whole units of the token's smallest part. Smaller parts cannot be transferred. */
function baseUnits(amount: string, asset: Asset): string {
  const scale = new Money(10).pow(asset.listing.decimals.funding);
  return new Money(amount).times(scale).floor().toFixed(0);
}
