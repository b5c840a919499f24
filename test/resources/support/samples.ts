/** Answers of the service, every optional member present. */

export const METHOD_ID = '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b';

const usd = { symbol: 'USD', type: 'fiat', name: 'US Dollar' };
const btc = { symbol: 'BTC', type: 'crypto', name: 'Bitcoin' };

export const user = {
  ...{ id: 'USER-OF-TESTS-0001', external_reference: 'customer-17', type: 'individual' },
  ...{ status: { state: 'ok', required_actions: [] }, created_at: '2025-01-02T03:04:05Z' },
  accounts: [
    { id: 'ACCOUNT-MAIN-0001', name: 'main' },
    { id: 'ACCOUNT-SECOND-02', name: 'secondary' },
  ],
};

export const createdUser = { id: user.id, accounts: user.accounts };

export const verification = {
  ...{ verification_id: 'PVABCDE-FGHIJ-KLMNOP', types: ['proof_of_identity', 'proof_of_address'] },
  ...{ method: 'hosted', status: 'failed' },
  reasons: [{ code: 'unreadable', details: ['front side'] }, { code: 'wrong_side' }],
  ...{ created_at: '2025-01-02T03:04:05.678Z', updated_at: '2025-01-02T03:05:05.678Z' },
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

/** A plain fiat entry: no market data. */
export const fiatListing = {
  ...usd,
  status: {
    swap_trading: { enabled: true, disabled_against: [] },
    withdraw: { enabled: true },
    deposit: { enabled: true },
  },
  ...{ decimals: { funding: 2, swap: 4 }, listing_date: '1999-01-01' },
  logo: { width: 64, height: 64, href: 'https://cdn.partner.test/usd.svg', type: 'image/svg+xml' },
};

export const assetEchoes = {
  ...{ quote_symbol: 'USD', quote_type: 'fiat', page_size: 20, sort: 'market_cap_rank' },
  ...{ sort_direction: 'asc', type: [] },
};

export const assetRate = { timestamp: '2025-01-02T04:00:00Z', price: '61234.10' };

export const swapAsset = { symbol: 'BTC', type: 'crypto', supported_rails: ['bitcoin', { rail: 'lightning' }] };

export const portfolioEntry = {
  ...{ symbol: 'BTC', type: 'crypto', index_price: '61234.10', total: '0.12345678', available: '0.1' },
  ...{ open_orders: '0.02345678', total_in_quote: '7559.77', available_in_quote: '6123.41' },
  ...{ avg_entry_price_in_quote: '50000', cost_basis_in_quote: '6172.839' },
  pnl: {
    unrealized: '1386.931',
    realized: '-1.5',
    reference_currency: { symbol: 'USD', type: 'fiat' },
    status: { unrealized: 'ready', realized: 'ready' },
  },
};

export const fiatPortfolioEntry = {
  ...{ symbol: 'USD', type: 'fiat', index_price: '1', total: '10', available: '10', open_orders: '0' },
  ...{ total_in_quote: '10', available_in_quote: '10', avg_entry_price_in_quote: null },
  cost_basis_in_quote: null,
};

export const portfolioSummary = {
  ...{ quote_symbol: 'USD', quote_type: 'fiat', value: '12345.6789', cost_basis: '12000.10', available: '12000' },
  ...{ withheld: '0.0000', open_orders: '345.6789', pnl: { unrealized: '-345.5789' } },
};

const valued = (amount: string) => ({ ...btc, amount, amount_in_quote: '61234.10' });
const transactionSide = () => ({
  ...{ timestamp: '2025-01-02T03:04:05.678Z', sub_total: valued('0.1'), fee: valued('0.0001') },
  ...{ total: valued('0.1001'), balance: valued('1.12345678') },
});

export const portfolioTransaction = {
  ...{ id: 'transaction-1', timestamp: '2025-01-02T03:04:05.678Z', type: 'simple_order', status: 'successful' },
  ...{ spend: transactionSide(), receive: transactionSide() },
};

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

export const settlementReport = {
  ...{ id: '8a6e0804-2bd0-4672-b79d-d97027f9071a', date: '2025-01-02', type: 'swaps', size: '1234' },
  name: 'swaps-2025-01-02.csv',
};

export const settlementReportDownload = {
  ...settlementReport,
  ...{ download_url: 'https://files.partner.test/r?token=t', expires_at: '2025-01-03T03:04:05Z' },
};

export const quote = {
  ...{ id: 'quote-1', status: 'offered', expires_at: '2025-01-02T03:04:35Z' },
  ...{ from: { ...usd, amount: '100.00' }, to: { ...btc, amount: '0.00163307' } },
  ...{ fees: { trade: { ...usd, amount: '0.50' } }, rate: { base: btc, quote: usd, price: '61234.10' } },
};

export const quoteExecution = { id: 'quote-1', status: 'executing', executed_at: '2025-01-02T03:04:20Z' };

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
const destination = { type: 'wallet', wallet_id: 'wallet-1', user_id: 'USER-OF-TESTS-0001' };

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
  ...{ id: 'deposit-1', status: 'pending', account: 'ACCOUNT-MAIN-0001', asset: { ...btc, amount: '0.50' } },
  ...{ reference: 'r-1', inbound, created_at: '2025-01-02T03:04:05Z' },
};

export const moneyTransfer = {
  ...{ id: 'transfer-1', status: 'failed', failure_reason: 'rejected' },
  ...{ from: { asset: { ...usd, amount: '1.50' } }, to: { tag: 'a tag' }, amount: '1.50' },
};

export const whitelistedWallet = {
  ...{ account: 'ACCOUNT-MAIN-0001', id: 'wallet-1', via: 'ethereum', address: '0xc11e', status: 'pending' },
  ...{ external_user_id: 'customer-17', created_at: '2025-01-02T03:04:05Z' },
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

export const depositLimit = {
  method_id: METHOD_ID,
  maximum_amount: { ...usd, amount: '50000' },
  period_limits: [
    {
      ...{ type: 'amount', period: 'daily', period_seconds: 86_400, asset: { symbol: 'USD', type: 'fiat' } },
      ...{ remaining: '49000.5', maximum: '50000' },
    },
  ],
};

export const rampQuote = {
  from: {
    ...{ asset: usd, total: '100', subtotal: '97.5', fee: '2.5', deposit_fee: '1', affiliate_fee: '0.5' },
    withdrawal_fee: null,
  },
  to: {
    ...{ asset: btc, total: '0.0016', subtotal: '0.0016', fee: null, deposit_fee: null, affiliate_fee: null },
    withdrawal_fee: '0.00001',
  },
  unit_price: { asset: btc, denomination_asset: usd, unit_price: '61234.10' },
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

export const withdrawalMethod = {
  ...{ method_id: METHOD_ID, network: 'Tron', fee: '0.5', fee_token: null, minimum: { ...tether, amount: '1' } },
  maximum: 500000.5,
};

export const depositAddress = {
  ...{ address: 'rAddress', name: 'XRP Ledger', tag: '104729', memo: null, expire_time: null, is_new: true },
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

export const withdrawal = {
  ref_id: 'FTQcuak-V6Za8q',
  amount: '0.5',
  fee: '0.00005',
  total: '0.50005',
  fee_token: null,
};

export const fundsTransaction = {
  ...{
    type: 'withdrawal',
    timestamp: '2025-01-02T03:04:05.678Z',
    asset: { symbol: 'XRP', type: 'crypto', name: 'XRP' },
  },
  ...{ amount: '0.5', status: 'settled', ref_id: 'FTQcuak-V6Za8q' },
};

export const SIGNING_SECRET = 'dGhlLXNpZ25pbmctc2VjcmV0LW9mLWEtd2ViaG9vaw==';
export const registeredWebhook = { ...webhook, signing_secret: SIGNING_SECRET };
export const deletedWebhook = { webhook_id: webhook.id, deleted_at: '2025-01-02T03:04:05.678901Z' };
export const webhookTest = {
  ...{ result: 'success', test_id: 'test-1', http_status: 200, response_body: 'ok', error_message: null },
  payload_sent: '{"id":"evt_1","type":"webhook.test","data":{}}',
  signature_header: 't=1734567890,v1=1ef668d4f2ef42f82d076fcdd4b6320d5d956df364588a36a00d1e3027744654',
};

export const savedAddress = { key: 'cold "1"', tag: null };

export const earnAsset = {
  ...{ symbol: 'ETH', type: 'crypto', name: 'Ethereum', yield_source: 'staking', apy: '3.10' },
  user_cap: '1000',
};

export const earnAllocation = {
  ...{ symbol: 'ETH', type: 'crypto', name: 'Ethereum', allocated: '1.50', allocated_in_quote: '5282.1600' },
};

export const earnReward = {
  ...{ symbol: 'ETH', type: 'crypto', name: 'Ethereum', rewarded: '0.00012', rewarded_in_quote: '0.42' },
  ...{ estimated_next_reward: '0.0001274', estimated_next_reward_in_quote: '0.45', other_assets: [{ symbol: 'SOL' }] },
};

const range = (symbol: string, type: string) => ({
  minimum: { symbol, type, name: symbol, amount: '10.00' },
  maximum: { symbol, type, name: symbol, amount: '25000.5' },
});

export const rampLimit = {
  limits: { deposit: range('USD', 'fiat'), withdrawal: range('BTC', 'crypto') },
  final_combined: { in_asset: range('USD', 'fiat'), out_asset: range('BTC', 'crypto') },
};

export const rampCheckout = {
  ...{ checkout_url: 'https://checkout.partner.test/s/1', request_data: { in_asset_symbol: 'USD', nested: [1] } },
};
