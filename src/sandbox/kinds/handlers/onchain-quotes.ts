import {
  createOnchainQuote,
  getOnchainQuote,
  listOnchainQuotes,
  type OnchainQuoteCreateBody,
  type OnchainQuoteListParams,
} from '../../../resources/accounts/onchain-quotes.js';
import type { Wire } from '../../../schema/types.js';
import { type AccountParams, accountOf, type Handler, handle } from '../../core/request/handler.js';
import { newestFirst } from '../../core/request/paging.js';
import { badRequest } from '../../core/request/refusal.js';
import { asOfNow, findOnchainQuote, onchainQuotes, priceOnchain } from '../lifecycles/onchain-quotes.js';
import { wrongOnNetwork } from '../shared/addresses/check-address.js';
import { priceSwap } from '../shared/swaps.js';

/** Chain ids of the networks on which swaps are settled. */
const CHAIN_IDS: Readonly<Record<string, string>> = { ethereum: '1', polygon: '137', arbitrum: '42161' };

/** Wallet-funded quotes are for tokenised stocks and stablecoins. */
const ONCHAIN_TYPES: readonly string[] = ['xstock', 'stablecoin'];

type Body = Wire<OnchainQuoteCreateBody>;

interface QuoteParams extends AccountParams {
  readonly quote_id: string;
}

export const onchainQuoteHandlers: readonly Handler[] = [
  handle<AccountParams, unknown, Body>(createOnchainQuote, (state, { params, body }) => {
    const account = accountOf(state, params);
    const chainId = checkedChain(body);
    const swap = priceSwap(state, body.from, body.to);
    return { data: priceOnchain(state, account, swap, body.from.wallet.address, chainId) };
  }),
  handle<QuoteParams>(getOnchainQuote, (state, { params }) => ({
    data: findOnchainQuote(state, accountOf(state, params), params.quote_id).quote,
  })),
  handle<AccountParams, OnchainQuoteListParams>(listOnchainQuotes, (state, { params, query }) => {
    const { id, records } = accountOf(state, params);
    const items = [...records.of(onchainQuotes).values()].reverse();
    const page = state.pager.page({ scope: [listOnchainQuotes.name, id], items, ...newestFirst }, query);
    return { ...page, data: page.data.map((record) => asOfNow(state, record).quote) };
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
