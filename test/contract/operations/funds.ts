import { type OperationFact, operation } from '../fact.js';
import { IDS } from '../ids.js';
import { orNull } from '../rules.js';
import { ASSET_TYPE, integer, paging, SOME, SYMBOL, UUID, XRP } from './forms.js';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

/** The asset of an address and of a ledger entry. */
const BTC_REF = { symbol: 'BTC', type: 'crypto' };
const xrp = (amount: string) => ({ ...XRP, amount });

export const funds: readonly OperationFact[] = [
  operation({
    name: 'funds.withdrawalAddresses.save',
    fact: 'A withdrawal address is saved under a name of choice; the response has that name and the tag, which may be null, but not the address.',
    source: 'specified',
    route: 'POST /v1/accounts/{account_id}/funds/withdrawals/addresses',
    key: true,
    body: {
      asset_symbol: SYMBOL,
      method_id: UUID,
      key: SOME,
      address: SOME,
      'asset_type?': ASSET_TYPE,
      'memo?': SOME,
      'tag?': SOME,
    },
    given: ({ accountId, methodId }) => ({
      params: { account_id: accountId },
      body: { asset_symbol: 'BTC', method_id: methodId, key: 'treasury', address: ADDRESS, asset_type: 'crypto' },
    }),
    call: (client, { params, body }) => client.funds.withdrawalAddresses.save(params.account_id, body),
    answer: { data: { key: 'treasury', tag: null } },
  }),
  operation({
    name: 'funds.withdrawalAddresses.validate',
    fact: 'Whether an address can receive withdrawals is asked without an account; the answer is a boolean.',
    source: 'current',
    route: 'POST /v1/funds/withdrawals/addresses/validate',
    key: true,
    body: {
      asset_symbol: SYMBOL,
      method_id: UUID,
      address: SOME,
      'asset_type?': ASSET_TYPE,
      'memo?': orNull('string'),
    },
    given: ({ methodId }) => ({
      body: { asset_symbol: 'BTC', method_id: methodId, address: ADDRESS, memo: null },
    }),
    call: (client, { body }) => client.funds.withdrawalAddresses.validate(body),
    answer: { data: { valid: true } },
  }),
  operation({
    name: 'funds.withdrawalAddresses.update',
    fact: 'A saved address is renamed; the response has its new name.',
    source: 'specified',
    route: 'PATCH /v1/accounts/{account_id}/funds/withdrawals/addresses/{key}',
    key: true,
    body: { new_key: SOME },
    given: ({ accountId, addressKey }) => ({
      params: { account_id: accountId, key: addressKey },
      body: { new_key: 'vault' },
    }),
    call: (client, { params, body }) => client.funds.withdrawalAddresses.update(params.account_id, params.key, body),
    answer: { data: { key: 'vault' } },
  }),
  operation({
    name: 'funds.withdrawalAddresses.list',
    fact: 'Saved addresses are listed with their asset {symbol, type}, method {id, name} and address.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/funds/withdrawals/addresses',
    query: { ...paging(), 'asset_symbol?': SYMBOL },
    given: ({ accountId }) => ({ params: { account_id: accountId }, query: { asset_symbol: 'XRP' } }),
    call: (client, { params, query }) => client.funds.withdrawalAddresses.list(params.account_id, query),
    answer: {
      data: [
        {
          key: IDS.addressKey,
          asset: { symbol: 'XRP', type: 'crypto' },
          method: { id: IDS.methodId, name: 'XRP Ledger' },
          address: 'rDMBMPGQmpHHX1KzPkkYTNyHojiuiqtYBu',
          memo: null,
          tag: null,
          created_at: '2026-02-01T08:00:00.000Z',
        },
      ],
    },
  }),
  operation({
    name: 'funds.withdrawalAddresses.delete',
    fact: 'A saved address is deleted under its name in the older edition; that the path of today is the same is inferred, and what comes back is not shown.',
    source: 'inferred',
    route: 'DELETE /v1/accounts/{account_id}/funds/withdrawals/addresses/{key}',
    given: ({ accountId, addressKey }) => ({ params: { account_id: accountId, key: addressKey } }),
    call: (client, { params }) => client.funds.withdrawalAddresses.delete(params.account_id, params.key),
    answer: undefined,
    gives: undefined,
  }),
  operation({
    name: 'funds.withdrawalMethods.list',
    fact: 'Withdrawal methods have, in the older edition, method_id, network, fee, fee_token, minimum and maximum; that their path lies below the account, and that amounts are those of deposit methods, is inferred.',
    source: 'inferred',
    route: 'GET /v1/accounts/{account_id}/funds/withdrawals/methods/{asset_symbol}',
    query: { '...': 'anything' },
    given: ({ accountId }) => ({ params: { account_id: accountId, asset_symbol: 'XRP' } }),
    call: (client, { params }) => client.funds.withdrawalMethods.list(params.account_id, params.asset_symbol),
    answer: {
      data: [
        {
          method_id: IDS.methodId,
          network: 'XRP Ledger',
          fee: xrp('0.25'),
          fee_token: 'ft_77',
          minimum: xrp('1'),
          maximum: xrp('50000'),
        },
      ],
    },
  }),
  operation({
    name: 'funds.addresses.delete',
    fact: 'A funding address is deleted by its id of 20 characters; how the response looks is not shown.',
    source: 'specified',
    route: 'DELETE /v1/accounts/{account_id}/funds/addresses/{address_id}',
    given: ({ accountId, addressId }) => ({ params: { account_id: accountId, address_id: addressId } }),
    call: (client, { params }) => client.funds.addresses.delete(params.account_id, params.address_id),
    answer: undefined,
    gives: undefined,
  }),
  operation({
    name: 'funds.bankLinks.get',
    fact: 'A bank link has account links, whose eligibility has rails or reasons, and accounts that are not linked.',
    source: 'specified',
    route: 'GET /v1/accounts/{account_id}/funds/bank-links/{bank_link_id}',
    given: ({ accountId, bankLinkId }) => ({ params: { account_id: accountId, bank_link_id: bankLinkId } }),
    call: (client, { params }) => client.funds.bankLinks.get(params.account_id, params.bank_link_id),
    answer: {
      data: {
        bank_link_id: IDS.bankLinkId,
        method_id: IDS.methodId,
        status: 'linked',
        accounts_eligibility_status: 'eligible',
        linked_at: '2026-01-05T10:00:00.000Z',
        institution: { name: 'First Example Bank' },
        account_links: [
          {
            account_link_id: 'al_1',
            account_last4: 'x810',
            status: 'active',
            eligibility_status: 'eligible',
            eligible_rails: ['ach', 'rtp'],
          },
          {
            account_link_id: 'al_2',
            account_last4: 'x811',
            status: 'active',
            eligibility_status: 'ineligible',
            ineligibility_reasons: ['name_mismatch'],
          },
        ],
        not_linked_accounts: [{ account_last4: 'x812', reason: 'missing_identity' }],
      },
    },
    optional: ['data.account_links.eligible_rails', 'data.account_links.account_last4'],
  }),
  operation({
    name: 'funds.depositLimits.list',
    fact: 'Deposit limits are grouped by method: a largest amount, and what remains of each period, whose length in seconds is an integer.',
    source: 'specified',
    route: 'GET /v1/accounts/{account_id}/funds/deposits/limits/{asset_symbol}',
    query: paging(25),
    given: ({ accountId }) => ({ params: { account_id: accountId, asset_symbol: 'XRP' }, query: { page_size: 25 } }),
    call: (client, { params, query }) => client.funds.depositLimits.list(params.account_id, params.asset_symbol, query),
    answer: {
      data: [
        {
          method_id: IDS.depositMethodId,
          maximum_amount: xrp('5000'),
          period_limits: [
            {
              type: 'amount',
              period: 'daily',
              period_seconds: 86400,
              asset: { symbol: 'XRP', type: 'crypto' },
              remaining: '4500.5',
              maximum: '5000',
            },
          ],
        },
      ],
      next_page_token: 'tok_2',
    },
  }),
  operation({
    name: 'funds.depositMethods.list',
    fact: 'Deposit methods have an id, which is the `method_id` of other operations, a network, and amounts for fee, minimum and maximum.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/funds/deposits/methods/{asset_symbol}',
    given: ({ accountId }) => ({ params: { account_id: accountId, asset_symbol: 'XRP' } }),
    call: (client, { params }) => client.funds.depositMethods.list(params.account_id, params.asset_symbol),
    answer: {
      data: [
        {
          id: IDS.depositMethodId,
          network: 'XRP Ledger',
          network_info: { explorer: 'https://explorer.example/xrp' },
          fee: xrp('0'),
          minimum: xrp('1'),
          maximum: xrp('100000'),
          address_setup_fee: xrp('0'),
          fee_percentage: '0.1',
          deposit_limit_meta: { kind: 'daily' },
        },
      ],
    },
    optional: [
      'data.deposit_limit_meta',
      'data.network_info',
      'data.network_info.explorer',
      'data.deposit_limit_meta.kind',
    ],
  }),
  operation({
    name: 'funds.depositAddresses.create',
    fact: 'A deposit address is asked for by method and asset, whose type is crypto by default; tag, memo and the time of its end may be null.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/funds/deposits/addresses',
    key: true,
    body: { method_id: SOME, asset_symbol: SYMBOL, 'asset_type?': ASSET_TYPE },
    given: ({ accountId, depositMethodId }) => ({
      params: { account_id: accountId },
      body: { method_id: depositMethodId, asset_symbol: 'XRP' },
    }),
    call: (client, { params, body }) => client.funds.depositAddresses.create(params.account_id, body),
    answer: {
      data: {
        address: 'rDMBMPGQmpHHX1KzPkkYTNyHojiuiqtYBu',
        name: 'XRP Ledger',
        tag: '90210',
        memo: null,
        expire_time: null,
        is_new: true,
      },
    },
    optional: ['data.tag'],
  }),
  operation({
    name: 'funds.depositAddresses.list',
    fact: 'Deposit addresses are listed for an asset, which is required.',
    source: 'current',
    route: 'GET /v1/accounts/{account_id}/funds/deposits/addresses',
    query: { ...paging(), asset_symbol: SYMBOL, 'asset_type?': ASSET_TYPE },
    given: ({ accountId }) => ({
      params: { account_id: accountId },
      query: { asset_symbol: 'XRP', asset_type: 'crypto' },
    }),
    call: (client, { params, query }) => client.funds.depositAddresses.list(params.account_id, query),
    answer: {
      data: [
        {
          asset: { symbol: 'XRP', type: 'crypto' },
          method: { id: IDS.depositMethodId, name: 'XRP Ledger' },
          address: 'rDMBMPGQmpHHX1KzPkkYTNyHojiuiqtYBu',
          tag: '90210',
          memo: null,
          expire_time: null,
        },
      ],
    },
    optional: ['data.tag'],
  }),
  operation({
    name: 'funds.withdrawals.create',
    fact: 'A withdrawal names an asset, the name of a saved address and an amount; amounts of the response are in that asset. That `fee_token` and `preview` are the names of two further members is inferred.',
    source: 'current',
    route: 'POST /v1/accounts/{account_id}/funds/withdrawals',
    key: true,
    body: {
      asset_symbol: SYMBOL,
      key: SOME,
      amount: /^(?=.{1,64}$)[0-9]+(\.[0-9]+)?$/,
      'asset_type?': ASSET_TYPE,
      'fee_token?': SOME,
      'preview?': 'boolean',
    },
    given: ({ accountId, addressKey }) => ({
      params: { account_id: accountId },
      body: { asset_symbol: 'BTC', key: addressKey, amount: '0.01' },
    }),
    call: (client, { params, body }) => client.funds.withdrawals.create(params.account_id, body),
    answer: { data: { ref_id: 'wd_8f1', amount: '0.01', fee: '0.0001', total: '0.0101', fee_token: null } },
  }),
  operation({
    name: 'funds.transactions.list',
    fact: 'The ledger needs a type, has pages of at most 500 entries, and takes the token of the next page as `cursor`.',
    source: 'current',
    route: 'GET /v1/funds/transactions',
    query: { type: /^(withdrawal|deposit)$/, 'page_size?': integer(1, 500), 'cursor?': SOME },
    given: () => ({ query: { type: 'withdrawal', page_size: 500 } }),
    call: (client, { query }) => client.funds.transactions.list(query),
    answer: {
      data: [
        {
          type: 'withdrawal',
          timestamp: '2026-03-02T09:15:10.123Z',
          asset: BTC_REF,
          amount: '0.01',
          status: 'success',
          ref_id: 'wd_8f1',
        },
      ],
      next_page_token: null,
    },
  }),
];
