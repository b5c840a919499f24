import { type OperationFact, operation } from '../fact.js';
import { IDS } from '../ids.js';
import type { Members, Rule } from '../rules.js';
import { isObject, problemsOf } from '../rules.js';
import { ASSET, ASSET_AND_AMOUNT, BTC, DECIMAL, paging, SOME, USD } from './forms.js';

/** Two sides, exactly one of which has an amount, and nothing else but `more`. */
const sides =
  (more: Members, from: Members = ASSET_AND_AMOUNT): Rule =>
  (value) => {
    const problems = problemsOf({ from, to: ASSET_AND_AMOUNT, ...more }, value, 'trade');
    if (problems.length > 0 || !isObject(value)) return problems.join('; ');
    const amounts = [value['from'], value['to']].filter((side) => isObject(side) && side['amount'] !== undefined);
    return amounts.length === 1 ? undefined : `has ${amounts.length} amounts, not one`;
  };

const FEE: Members = { 'fee?': { bps: 'number' } };

const condition: Rule = (value) => {
  const problems = problemsOf({ base: ASSET, quote: ASSET, 'drops_to?': DECIMAL, 'rises_to?': DECIMAL }, value, 'when');
  if (problems.length > 0 || !isObject(value)) return problems.join('; ');
  return 'drops_to' in value === 'rises_to' in value ? 'needs drops_to or rises_to, not both' : undefined;
};

const FROM_USD = { ...USD, amount: '250' };
const TO_BTC = { ...BTC, amount: '0.00407' };
const RATE = { base: BTC, quote: USD, price: '61234.5' };
const TRADE_FEE = { trade: { ...USD, amount: '0.63' } };

const QUOTE = {
  id: IDS.quoteId,
  status: 'offered',
  expires_at: '2026-03-02T09:15:30.000Z',
  from: FROM_USD,
  to: TO_BTC,
  fees: TRADE_FEE,
  rate: RATE,
};

const SWAP = {
  id: IDS.swapId,
  external_reference: 'order-77',
  trade: { from: FROM_USD, to: TO_BTC, fees: TRADE_FEE, rate: RATE },
  when: { base: BTC, quote: USD, drops_to: '60000' },
  status: 'cancelled',
  cancelled_reason: { code: 'user_request' },
};

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const LEG = { from: WALLET, to: TOKEN, token: TOKEN, amount: '100000000' };

const ONCHAIN_QUOTE = {
  id: IDS.onchainQuoteId,
  status: 'offered',
  expires_at: '2026-03-02T09:15:30.000Z',
  from: { symbol: 'USDC', type: 'stablecoin', name: 'USD Coin', amount: '100' },
  to: { symbol: 'AAPLx', type: 'xstock', name: 'Apple xStock', amount: '0.43' },
  execution_details: {
    chain_id: '1',
    proxy_address: WALLET,
    proxy_swap_message: {
      atomic_message: { quote_id: 'a1', expiration: 1772442930, incoming_transfer: LEG, outgoing_transfer: LEG },
      atomic_signature: '0x51aa',
      signature: '0x61bb',
      client_address: WALLET,
    },
  },
};

const account = (accountId: string) => ({ account_id: accountId });

export const trading: readonly OperationFact[] = [
  operation({
    name: 'accounts.quotes.create',
    fact: 'A quote is asked for with two sides, exactly one of which has an amount, and perhaps a fee in basis points, which is a number.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/quotes',
    key: true,
    body: sides(FEE),
    given: ({ accountId }) => ({
      params: account(accountId),
      body: {
        from: { symbol: 'USD', type: 'fiat', amount: '250' },
        to: { symbol: 'BTC', type: 'crypto' },
        fee: { bps: 25 },
      },
    }),
    call: (client, { params, body }) => client.accounts.quotes.create(params.account_id, body),
    answer: { data: QUOTE },
  }),
  operation({
    name: 'accounts.quotes.get',
    fact: 'A quote has a status, an expiry, two sides, the fee of the trade and a rate.',
    source: 'specified',
    route: 'GET /v1/accounts/{account_id}/quotes/{quote_id}',
    given: ({ accountId, quoteId }) => ({ params: { ...account(accountId), quote_id: quoteId } }),
    call: (client, { params }) => client.accounts.quotes.get(params.account_id, params.quote_id),
    answer: { data: QUOTE },
  }),
  operation({
    name: 'accounts.quotes.execute',
    fact: 'A quote is executed without a body; the response has its id, its status and the time alone.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/quotes/{quote_id}/execute',
    key: true,
    given: ({ accountId, quoteId }) => ({ params: { ...account(accountId), quote_id: quoteId } }),
    call: (client, { params }) => client.accounts.quotes.execute(params.account_id, params.quote_id),
    answer: { data: { id: IDS.quoteId, status: 'executing', executed_at: '2026-03-02T09:15:10.000Z' } },
    optional: ['data.executed_at'],
  }),
  operation({
    name: 'accounts.priceTriggerSwaps.create',
    fact: 'A price-trigger swap has a trade, with exactly one amount, and a condition, with exactly one of drops_to and rises_to; the response has the id alone.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/price-trigger-swaps',
    key: true,
    body: { trade: sides(FEE), when: condition, 'external_reference?': SOME, 'name?': SOME },
    given: ({ accountId }) => ({
      params: account(accountId),
      body: {
        trade: { from: { symbol: 'USD', type: 'fiat', amount: '250' }, to: { symbol: 'BTC', type: 'crypto' } },
        when: { base: { symbol: 'BTC', type: 'crypto' }, quote: { symbol: 'USD', type: 'fiat' }, drops_to: '60000' },
        external_reference: 'order-77',
      },
    }),
    call: (client, { params, body }) => client.accounts.priceTriggerSwaps.create(params.account_id, body),
    answer: { data: { id: IDS.swapId } },
  }),
  operation({
    name: 'accounts.priceTriggerSwaps.get',
    fact: 'A price-trigger swap has its trade, condition and status, and a reason with a code once it is cancelled.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/price-trigger-swaps/{id}',
    given: ({ accountId, swapId }) => ({ params: { ...account(accountId), id: swapId } }),
    call: (client, { params }) => client.accounts.priceTriggerSwaps.get(params.account_id, params.id),
    answer: { data: SWAP },
    optional: [
      'data.external_reference',
      'data.trade.fees',
      'data.trade.rate',
      'data.trade.to.amount',
      'data.cancelled_reason',
    ],
  }),
  operation({
    name: 'accounts.priceTriggerSwaps.list',
    fact: 'Price-trigger swaps are filtered by statuses, a repeated parameter, in pages of at most 100.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/price-trigger-swaps',
    query: { ...paging(100), 'statuses?': [/^(active|completed|cancelled)$/] },
    given: ({ accountId }) => ({
      params: account(accountId),
      query: { statuses: ['active', 'cancelled'], page_size: 100 },
    }),
    call: (client, { params, query }) => client.accounts.priceTriggerSwaps.list(params.account_id, query),
    answer: { data: [SWAP], next_page_token: null },
    optional: [
      'data.external_reference',
      'data.trade.fees',
      'data.trade.rate',
      'data.trade.to.amount',
      'data.cancelled_reason',
    ],
  }),
  operation({
    name: 'accounts.priceTriggerSwaps.cancel',
    fact: 'A price-trigger swap is cancelled without a body, and the body of the response is empty.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/price-trigger-swaps/{id}/cancel',
    key: true,
    given: ({ accountId, swapId }) => ({ params: { ...account(accountId), id: swapId } }),
    call: (client, { params }) => client.accounts.priceTriggerSwaps.cancel(params.account_id, params.id),
    answer: undefined,
    gives: undefined,
  }),
  operation({
    name: 'accounts.onchainQuotes.create',
    fact: 'An on-chain quote needs a source wallet and exactly one amount; the response has what the wallet submits on-chain. The description names no idempotency key.',
    source: 'specified',
    route: 'POST /v1/accounts/{account_id}/onchain-quotes',
    body: sides({}, { ...ASSET_AND_AMOUNT, wallet: { address: SOME, network: SOME } }),
    given: ({ accountId }) => ({
      params: account(accountId),
      body: {
        from: { symbol: 'USDC', type: 'stablecoin', amount: '100', wallet: { address: WALLET, network: 'ethereum' } },
        to: { symbol: 'AAPLx', type: 'xstock' },
      },
    }),
    call: (client, { params, body }) => client.accounts.onchainQuotes.create(params.account_id, body),
    answer: { data: ONCHAIN_QUOTE },
  }),
  operation({
    name: 'accounts.onchainQuotes.get',
    fact: 'An on-chain quote is read by its id; its execution details may be missing.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/onchain-quotes/{quote_id}',
    given: ({ accountId, onchainQuoteId }) => ({ params: { ...account(accountId), quote_id: onchainQuoteId } }),
    call: (client, { params }) => client.accounts.onchainQuotes.get(params.account_id, params.quote_id),
    answer: { data: { ...ONCHAIN_QUOTE, status: 'pending', execution_details: undefined } },
  }),
  operation({
    name: 'accounts.onchainQuotes.list',
    fact: 'On-chain quotes are listed in pages.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/onchain-quotes',
    query: paging(),
    given: ({ accountId }) => ({ params: account(accountId), query: { page_size: 5 } }),
    call: (client, { params, query }) => client.accounts.onchainQuotes.list(params.account_id, query),
    answer: { data: [ONCHAIN_QUOTE] },
    optional: ['data.execution_details'],
  }),
  operation({
    name: 'accounts.wallets.whitelist',
    fact: 'A wallet is whitelisted with a rail or network and an address, and a one-time password; it is pending at first.',
    source: 'specified',
    route: 'POST /v1/accounts/{account_id}/wallets/whitelist',
    key: true,
    otp: true,
    body: { via: /^.{1,32}$/, address: /^.{1,256}$/, 'memo?': /^.{0,64}$/, 'external_user_id?': /^.{0,128}$/ },
    given: ({ accountId }) => ({
      params: account(accountId),
      body: { via: 'ethereum', address: WALLET, external_user_id: 'customer-1815' },
    }),
    call: (client, { params, body }) => client.accounts.wallets.whitelist(params.account_id, body, { otp: '246810' }),
    answer: {
      data: {
        account: IDS.accountId,
        id: 'wal_8d2f',
        via: 'ethereum',
        address: WALLET,
        status: 'pending',
        external_user_id: 'customer-1815',
        created_at: '2026-03-02T09:20:00.000Z',
      },
    },
  }),
];
