import { type OperationFact, operation } from '../fact.js';
import { IDS } from '../ids.js';
import { isObject, type Members, problemsOf, type Rule } from '../rules.js';
import { ASSET, ASSET_AND_AMOUNT, ASSET_TYPE, BTC, DECIMAL, EUR, paging, SOME, SYMBOL } from './forms.js';

const DESTINATION: Members = { type: SOME, 'wallet_id?': SOME, 'user_id?': SOME, '...': 'anything' };
const SOURCE: Members = { type: SOME, 'via?': SOME, '...': 'anything' };

const INBOUND = {
  id: 'inb_19c4',
  via: 'sepa',
  status: 'active',
  lifecycle: 'reusable',
  routing: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', beneficiary_name: 'Ada Byron' },
  conversion_rule_id: 'rule_5d1',
  created_at: '2026-03-02T09:30:00.000Z',
};

const CONVERSION = {
  id: IDS.conversionId,
  status: 'settling',
  from: { asset: { symbol: 'EUR', type: 'fiat', amount: '20' }, source: { type: 'balance' } },
  to: {
    asset: { symbol: 'BTC', type: 'crypto', amount: '0.0003' },
    destination: { type: 'external_wallet', wallet_id: 'wal_8d2f' },
  },
  fees: { trade: { symbol: 'EUR', type: 'fiat', amount: '0.05' } },
  chain_references: { deposit_txid: '7f1a', withdraw_txid: '8e2b' },
  swap_quote: { id: IDS.quoteId, status: 'executed', rate: { base: BTC, quote: EUR, price: '56111.5' } },
  inbound: INBOUND,
  transaction_id: 'tx_1',
  conversion_rule_id: 'rule_5d1',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:31:00.000Z',
};

const CONVERSION_MAY_LACK = [
  ...['fees', 'inbound', 'chain_references', 'swap_quote', 'transaction_id', 'conversion_rule_id'],
  ...['from.source', 'to.destination', 'to.destination.wallet_id', 'to.asset.amount', 'fees.trade'],
  ...['chain_references.deposit_txid', 'chain_references.withdraw_txid', 'inbound.conversion_rule_id'],
].map((name) => `data.${name}`);

const TRANSFER = {
  id: IDS.transferId,
  status: 'failed',
  failure_reason: 'rejected_by_recipient',
  from: { asset: { symbol: 'USD', type: 'fiat', amount: '5' } },
};

/** An object with exactly one recipient. */
const recipient: Rule = (value) => {
  if (!isObject(value)) return 'is no object';
  const given = ['account', 'tag', 'email'].filter((name) => value[name] !== undefined);
  return given.length === 1 ? undefined : `has ${given.length} recipients`;
};

/** Both sides are optional; members that the reference does not show may be there. */
const conversion: Rule = (value) =>
  problemsOf(
    {
      'from?': { 'asset?': ASSET_AND_AMOUNT, 'source?': SOURCE },
      'to?': { 'asset?': ASSET, 'destination?': DESTINATION },
      'swap_quote_id?': SOME,
      'transaction_id?': SOME,
      '...': 'anything',
    },
    value,
    'body',
  )[0];

export const conversions: readonly OperationFact[] = [
  operation({
    name: 'accounts.conversionRules.create',
    fact: 'A conversion rule says which asset arrives by which rail, and where which asset goes; `current_uses` is an integer, and `inbound` tells how to pay.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/conversion-rules',
    key: true,
    body: {
      from: { asset: ASSET_AND_AMOUNT, via: SOME },
      to: { asset: ASSET, destination: DESTINATION },
      'name?': /^.{0,256}$/,
      'status?': /^(active|paused)$/,
    },
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      body: {
        name: 'salaries',
        status: 'active',
        from: { asset: { symbol: 'EUR', type: 'fiat' }, via: 'sepa' },
        to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
      },
    }),
    call: (client, { params, body }) => client.accounts.conversionRules.create(params.account_id, body),
    answer: {
      data: {
        id: 'rule_5d1',
        name: 'salaries',
        status: 'active',
        current_uses: 0,
        from: { asset: { symbol: 'EUR', type: 'fiat' }, via: 'sepa' },
        to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
        inbound: INBOUND,
        created_at: '2026-03-02T09:30:00.000Z',
        updated_at: '2026-03-02T09:30:00.000Z',
      },
    },
  }),
  operation({
    name: 'accounts.conversions.create',
    fact: 'A conversion names two sides, a source and a destination, and may use a swap quote; its response has fees, chain references and the swap quote {id, status, rate}.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/conversions',
    key: true,
    body: conversion,
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      body: {
        from: { asset: { symbol: 'EUR', type: 'fiat', amount: '20' }, source: { type: 'balance' } },
        to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
      },
    }),
    call: (client, { params, body }) => client.accounts.conversions.create(params.account_id, body),
    answer: { data: CONVERSION },
    optional: CONVERSION_MAY_LACK,
  }),
  operation({
    name: 'conversions.get',
    fact: 'A conversion is read by its id, without an account.',
    source: 'current',
    route: 'GET /v1/conversions/{conversion_id}',
    given: ({ conversionId }) => ({ params: { conversion_id: conversionId } }),
    call: (client, { params }) => client.conversions.get(params.conversion_id),
    answer: { data: CONVERSION },
    optional: CONVERSION_MAY_LACK,
  }),
  operation({
    name: 'accounts.conversions.list',
    fact: 'Conversions are filtered by the rule and by the status.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/conversions',
    query: { ...paging(), 'conversion_rule_id?': SOME, 'status?': SOME },
    given: ({ accountId }) => ({ params: { account_id: accountId }, query: { status: 'settling', page_size: 3 } }),
    call: (client, { params, query }) => client.accounts.conversions.list(params.account_id, query),
    answer: { data: [CONVERSION] },
    optional: CONVERSION_MAY_LACK,
  }),
  operation({
    name: 'accounts.onDemandConversions.list',
    fact: 'On-demand conversions come newest first, in pages of at most 25, with endpoints of the types balance, wallet and bank.',
    source: 'specified',
    route: 'GET /v1/accounts/{account_id}/on-demand-conversions',
    query: paging(25),
    given: ({ accountId }) => ({ params: { account_id: accountId }, query: { page_size: 25 } }),
    call: (client, { params, query }) => client.accounts.onDemandConversions.list(params.account_id, query),
    answer: {
      data: [
        {
          id: IDS.conversionId,
          status: 'completed',
          from: { type: 'bank', mark: 'of a bank nothing but the type is shown' },
          to: {
            type: 'wallet',
            symbol: 'XRP',
            amount: '493.5',
            status: 'settled',
            wallet: { via: 'xrp', address: 'rDMBMPGQmpHHX1KzPkkYTNyHojiuiqtYBu', tag: '127' },
          },
          rate: { base: { symbol: 'XRP' }, quote: { symbol: 'USD' }, price: '0.61' },
          fees: {
            from: { symbol: 'USD', amount: '0' },
            trade: { symbol: 'USD', amount: '1.22' },
            to: { symbol: 'XRP', amount: '0.57' },
          },
          transaction_references: { to: { transaction_id: 'tx_9', blockchain_transaction_id: '2f1e' } },
          created_at: '2026-03-02T09:30:00.000Z',
          updated_at: '2026-03-02T09:31:00.000Z',
        },
      ],
      next_page_token: 'tok_2',
    },
    optional: [
      ...['from.mark', 'to.symbol', 'to.amount', 'to.status', 'to.wallet', 'to.wallet.tag', 'transaction_references'],
      'transaction_references.to.blockchain_transaction_id',
    ].map((name) => `data.${name}`),
  }),
  operation({
    name: 'accounts.deposits.create',
    fact: 'An expected deposit names an asset with an amount, and a rail; the response tells how to pay.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/deposits',
    key: true,
    body: { asset: { symbol: SYMBOL, type: ASSET_TYPE, amount: DECIMAL }, via: SOME },
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      body: { asset: { symbol: 'EUR', type: 'fiat', amount: '75' }, via: 'sepa' },
    }),
    call: (client, { params, body }) => client.accounts.deposits.create(params.account_id, body),
    answer: {
      data: {
        id: 'dep_31',
        status: 'pending',
        account: IDS.accountId,
        asset: { symbol: 'EUR', type: 'fiat', amount: '75' },
        reference: 'RF18 5390',
        inbound: INBOUND,
        created_at: '2026-03-02T09:30:00.000Z',
      },
    },
    optional: ['data.reference', 'data.inbound.conversion_rule_id'],
  }),
  operation({
    name: 'accounts.transfers.create',
    fact: 'A transfer names an asset and exactly one recipient: an account, a tag or an e-mail address.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/transfers',
    key: true,
    body: {
      from: { asset: { symbol: SYMBOL, '...': 'anything' }, '...': 'anything' },
      to: recipient,
      '...': 'anything',
    },
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      body: { from: { asset: { symbol: 'USD', type: 'fiat', amount: '5' } }, to: { tag: 'a friend' } },
    }),
    call: (client, { params, body }) => client.accounts.transfers.create(params.account_id, body),
    answer: { data: { ...TRANSFER, status: 'pending', failure_reason: undefined } },
  }),
  operation({
    name: 'accounts.transfers.list',
    fact: 'Transfers are listed in pages; a failed one has a `failure_reason`.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/transfers',
    query: { ...paging(), '...': 'anything' },
    given: ({ accountId }) => ({ params: { account_id: accountId } }),
    call: (client, { params }) => client.accounts.transfers.list(params.account_id),
    answer: { data: [TRANSFER] },
    optional: ['data.failure_reason'],
  }),
  operation({
    name: 'transfers.get',
    fact: 'A transfer is read by its id, without an account.',
    source: 'current',
    route: 'GET /v1/transfers/{transfer_id}',
    given: ({ transferId }) => ({ params: { transfer_id: transferId } }),
    call: (client, { params }) => client.transfers.get(params.transfer_id),
    answer: { data: TRANSFER },
    optional: ['data.failure_reason'],
  }),
  operation({
    name: 'transfers.cancel',
    fact: 'A transfer is cancelled by a POST without an account; neither a body nor an idempotency key nor a response is shown.',
    source: 'current',
    route: 'POST /v1/transfers/{transfer_id}/cancel',
    given: ({ transferId }) => ({ params: { transfer_id: transferId } }),
    call: (client, { params }) => client.transfers.cancel(params.transfer_id),
    answer: undefined,
    gives: undefined,
  }),
];
