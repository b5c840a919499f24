/** Answers of the service, every optional member present. */
import { IDS } from '../../contract/ids.js';

export const METHOD_ID = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';

const usd = { symbol: 'USD', type: 'fiat', name: 'US Dollar' };
const btc = { symbol: 'BTC', type: 'crypto', name: 'Bitcoin' };

export const user = {
  ...{ id: IDS.userId, external_reference: 'customer-17', type: 'individual' },
  ...{ status: { state: 'ok', required_actions: [] }, created_at: '2025-01-02T03:04:05Z' },
  accounts: [
    { id: IDS.accountId, name: 'main' },
    { id: 'ACCOUNT-SECOND-02', name: 'secondary' },
  ],
};

export const assetListing = {
  ...btc,
  status: {
    swap_trading: { enabled: true, disabled_against: [usd, { symbol: 'EUR', type: 'fiat', name: 'Euro' }] },
    withdraw: { enabled: true },
    deposit: { enabled: false },
  },
  logo: { width: 64, height: 64, href: 'https://assets.partner.test/btc.png', type: 'image/png' },
  ...{ decimals: { funding: 8, swap: 10 }, listing_date: '2013-09-10', price: '61234.10' },
  ...{ market_cap: '1200000000000.5', market_cap_rank: 1, trending_rank: 3 },
  volume: { last_24h: '31000000000' },
  supply: {
    circulating: '19700000',
    total: '19700000',
    max: '21000000',
    in_quote: { circulating: '1.2', total: '1.3', max: '1.4' },
  },
  price_change_percent: { last_1h: '-0.1', last_24h: '1', last_7d: '2.5', last_30d: '-3', last_1y: '110.01' },
  ath: { value: '109000', timestamp: '2025-01-20T00:00:00Z' },
};

export const assetEchoes = {
  ...{ quote_symbol: 'USD', quote_type: 'fiat', page_size: 20, sort: 'market_cap_rank' },
  ...{ sort_direction: 'asc', type: [] },
};

export const swapAsset = { symbol: 'BTC', type: 'crypto', supported_rails: ['bitcoin', { rail: 'lightning' }] };

export const portfolioHistoryPoint = {
  ...{
    timestamp: '2025-01-02T03:00:00Z',
    assets: [
      { ...btc, amount: '0.12345678' },
      { ...usd, amount: '10' },
    ],
  },
  ...{ value: '7569.77', total_pnl: '1385.431' },
};

export const historyEchoes = {
  ...{ quote_symbol: 'USDC', quote_type: 'stablecoin' },
  ...{ start_timestamp: '2025-01-02T00:00:00Z', end_timestamp: '2025-01-03T00:00:00Z' },
};

export const quote = {
  ...{ id: 'quote-1', status: 'offered', expires_at: '2025-01-02T03:04:35Z' },
  ...{ from: { ...usd, amount: '100.00' }, to: { ...btc, amount: '0.00163307' } },
  ...{ fees: { trade: { ...usd, amount: '0.50' } }, rate: { base: btc, quote: usd, price: '61234.10' } },
};

const transfer = { from: '0xf00', to: '0xba4', token: '0x70ce', amount: '100000000000000000000000001' };

export const onchainQuote = {
  id: 'onchain-1',
  status: 'offered',
  expires_at: '2025-01-02T03:04:35Z',
  from: { symbol: 'USDC', type: 'stablecoin', name: 'USD Coin', amount: '100' },
  to: { symbol: 'AAPLX', type: 'xstock', name: 'Apple xStock', amount: '0.51' },
  execution_details: {
    chain_id: '1',
    proxy_address: '0x9409',
    proxy_swap_message: {
      atomic_message: {
        quote_id: 'onchain-1',
        expiration: 1_735_787_075,
        incoming_transfer: transfer,
        outgoing_transfer: { ...transfer, amount: '0001' },
      },
      atomic_signature: '0xabc1',
      signature: '0xabc2',
      client_address: '0xc11e',
    },
  },
};

/** Not offered yet: there is nothing to execute. */
export const pendingOnchainQuote = {
  ...{ id: 'onchain-2', status: 'pending', expires_at: '2025-01-02T03:04:35Z' },
  from: { symbol: 'USDC', type: 'stablecoin', name: 'USD Coin', amount: '100' },
  to: { symbol: 'AAPLX', type: 'xstock', name: 'Apple xStock', amount: '0.51' },
};

export const priceTriggerSwap = {
  ...{ id: 'trigger-1', external_reference: 'order-17' },
  trade: {
    ...{ from: { ...usd, amount: '100.00' }, to: { ...btc, amount: '0.00163307' } },
    ...{ fees: { trade: { ...usd, amount: '0.50' } }, rate: { base: btc, quote: usd, price: '61234.10' } },
  },
  when: { base: btc, quote: usd, drops_to: '60000.50', rises_to: '70000' },
  ...{ status: 'cancelled', cancelled_reason: { code: 'user_request' } },
};

export const conversion = {
  id: 'b6e2c3f0-5b1e-4c0c-9f0e-2f7f9c1a0d11',
  status: 'settling',
  from: { symbol: 'USD', type: 'balance', amount: '100.00', status: 'settled' },
  to: {
    ...{ symbol: 'XRP', type: 'wallet', amount: '41.5', status: 'settled' },
    wallet: { via: 'ripple', address: 'rAddress', memo: '12', tag: '34' },
  },
  rate: { base: { symbol: 'XRP' }, quote: { symbol: 'USD' }, price: '2.4' },
  fees: {
    from: { symbol: 'USD', amount: '0' },
    trade: { symbol: 'USD', amount: '0.40' },
    to: { symbol: 'XRP', amount: '0.1' },
  },
  transaction_references: { to: { transaction_id: 't-1', blockchain_transaction_id: '0x1' } },
  created_at: '2025-01-02T03:04:05Z',
  updated_at: '2025-01-02T03:04:06Z',
};

const inbound = {
  ...{ id: 'inbound-1', via: 'sepa', status: 'active', lifecycle: 'reusable' },
  routing: {
    ...{ iban: 'DE00', bic: 'PARTNERX', beneficiary_name: 'A. Customer' },
    ...{ routing_number: '000000000', account_number: '12345678' },
  },
  ...{ address: '0xc11e', memo: '12', conversion_rule_id: 'rule-1', created_at: '2025-01-02T03:04:05Z' },
};
const destination = { type: 'wallet', wallet_id: 'wallet-1', user_id: IDS.userId };

export const conversionRule = {
  ...{ id: 'rule-1', name: 'salaries', status: 'active', current_uses: 3 },
  from: { asset: { ...usd, amount: '100.00' }, via: 'sepa' },
  to: { asset: { ...btc, amount: '0' }, destination },
  ...{ inbound, created_at: '2025-01-02T03:04:05Z', updated_at: '2025-01-02T03:04:06Z' },
};

/** Not an on-demand conversion. */
export const accountConversion = {
  ...{ id: 'conversion-1', status: 'settling' },
  from: { asset: { ...usd, amount: '100.00' }, source: { type: 'deposit', via: 'sepa' } },
  to: { asset: { ...btc, amount: '0.00163307' }, destination },
  fees: { trade: { ...usd, amount: '0.40' } },
  chain_references: { deposit_txid: '0xd', withdraw_txid: '0xe' },
  ...{ swap_quote: { id: 'quote-1', status: 'executed', rate: ['1.50'] }, inbound, transaction_id: 't-1' },
  ...{ conversion_rule_id: 'rule-1', created_at: '2025-01-02T03:04:05Z', updated_at: '2025-01-02T03:04:06Z' },
};

export const expectedDeposit = {
  ...{ id: 'deposit-1', status: 'pending', account: IDS.accountId, asset: { ...btc, amount: '0.50' } },
  ...{ reference: 'r-1', inbound, created_at: '2025-01-02T03:04:05Z' },
};

export const moneyTransfer = {
  ...{ id: 'transfer-1', status: 'failed', failure_reason: 'rejected' },
  ...{ from: { asset: { ...usd, amount: '1.50' } }, to: { tag: 'a tag' }, amount: '1.50' },
};

export const bankLink = {
  ...{ bank_link_id: 'bank-link-1', method_id: METHOD_ID, status: 'linked' },
  ...{ accounts_eligibility_status: 'eligible', linked_at: '2025-01-02T03:04:05Z' },
  institution: { name: 'First Bank' },
  account_links: [
    {
      ...{ account_link_id: 'link-1', account_last4: '0042', status: 'active' },
      ...{ eligibility_status: 'eligible', eligible_rails: ['ach', 'rtp'] },
    },
    {
      ...{ account_link_id: 'link-2', account_last4: '0043', status: 'active' },
      ...{ eligibility_status: 'ineligible', ineligibility_reasons: ['name_mismatch'] },
    },
    { account_link_id: 'link-3', account_last4: '0044', status: 'active', eligibility_status: 'unknown' },
  ],
  not_linked_accounts: [{ account_last4: '0045', reason: 'missing_identity' }],
};

export const webhook = {
  ...{ id: 'ep_1', url: 'https://hooks.partner.test/in', description: 'main', disabled: true },
  ...{ created_at: '2025-01-02T03:04:05.123456Z', updated_at: '2025-01-02T03:04:05.123457Z' },
  events: ['quote.executed', 'conversion.withdrawal_completed'],
};

const tether = { symbol: 'USDT', type: 'stablecoin', name: 'Tether' };

export const depositMethod = {
  ...{ id: METHOD_ID, network: 'Tron', network_info: { confirmations: 20 }, fee: { ...tether, amount: '0' } },
  ...{ minimum: { ...tether, amount: '1' }, maximum: { ...tether, amount: '500000.5' } },
  ...{ address_setup_fee: { ...tether, amount: '0.10' }, fee_percentage: '0.25', deposit_limit_meta: null },
};

const fundingMethod = { id: METHOD_ID, name: 'XRP Ledger' };

export const depositAddressEntry = {
  ...{ asset: { symbol: 'XRP', type: 'crypto', name: 'XRP' }, method: fundingMethod, address: 'rAddress' },
  ...{ tag: '104729', memo: null, expire_time: '2025-02-03T04:05:06Z' },
};

export const withdrawalAddressEntry = {
  ...{ key: 'cold', asset: { symbol: 'XRP', type: 'crypto', name: 'XRP' }, method: fundingMethod, address: 'rAddress' },
  ...{ memo: null, tag: '34', created_at: '2025-01-02T03:04:05Z' },
};

export const fundsTransaction = {
  ...{
    type: 'withdrawal',
    timestamp: '2025-01-02T03:04:05.678Z',
    asset: { symbol: 'XRP', type: 'crypto', name: 'XRP' },
  },
  ...{ amount: '0.5', status: 'settled', ref_id: 'FTQcuak-V6Za8q' },
};

const SIGNING_SECRET = 'dGhlLXNpZ25pbmctc2VjcmV0LW9mLWEtd2ViaG9vaw==';
export const registeredWebhook = { ...webhook, signing_secret: SIGNING_SECRET };
