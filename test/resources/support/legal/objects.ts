import fc from 'fast-check';
import {
  assetType,
  digits,
  enabled,
  flag,
  integer,
  type Members,
  money,
  named,
  nullable,
  object,
  open,
  quantity,
  ref,
  some,
  symbolQuantity,
  text,
  time,
} from './kinds.js';

export const user = object({
  ...{ id: text, external_reference: text, type: open('individual') },
  status: object({ state: open('ok'), required_actions: some(fc.jsonValue({ maxDepth: 1 })) }),
  ...{ created_at: time, accounts: some(object({ id: text, name: open('main', 'secondary') })) },
});

export const createdUser = object({ id: text, accounts: some(object({ id: text, name: open('main', 'secondary') })) });

export const verification = object(
  {
    verification_id: text,
    types: some(open('proof_of_identity', 'proof_of_address', 'proof_of_liveness')),
    method: open('url', 'hosted'),
    status: open('completed', 'pending', 'failed'),
    created_at: time,
    updated_at: time,
  },
  { reasons: some(object({ code: open('unreadable', 'wrong_side') }, { details: some(text) })) },
);

export const supplies: Members = { circulating: money, total: money, max: money };
export const assetListing = object(
  {
    symbol: text,
    type: assetType,
    name: text,
    status: object({
      swap_trading: object({
        enabled: flag,
        disabled_against: some(object({ symbol: text, type: assetType, name: text })),
      }),
      withdraw: enabled,
      deposit: enabled,
    }),
    decimals: object({ funding: integer, swap: integer }),
    logo: object({ width: integer, height: integer, href: text, type: text }),
    listing_date: fc.constant('2013-09-10'),
  },
  {
    ...{ price: money, market_cap: money, market_cap_rank: integer },
    ...{ trending_rank: integer, volume: object({ last_24h: money }) },
    supply: object({}, { ...supplies, in_quote: object({}, supplies) }),
    price_change_percent: object(
      {},
      { last_1h: money, last_24h: money, last_7d: money, last_30d: money, last_1y: money },
    ),
    ath: object({ value: money, timestamp: time }),
  },
);

export const portfolioEntry = object(
  {
    ...{ symbol: text, type: assetType, index_price: money, total: money, available: money, open_orders: money },
    ...{ total_in_quote: money, available_in_quote: money },
    ...{ avg_entry_price_in_quote: nullable(money), cost_basis_in_quote: nullable(money) },
  },
  {
    pnl: object({
      unrealized: money,
      realized: money,
      reference_currency: ref,
      status: object({ unrealized: open('ready'), realized: open('ready') }),
    }),
  },
);

export const portfolioSummary = object(
  {},
  {
    ...{ quote_symbol: text, quote_type: open('fiat'), value: money, cost_basis: money, available: money },
    ...{ withheld: money, open_orders: money, pnl: object({}, { unrealized: money }) },
  },
);

export const valued = object({ symbol: text, type: assetType, amount: money }, { name: text, amount_in_quote: money });
export const transactionSide = object(
  {},
  { timestamp: time, sub_total: valued, fee: valued, total: valued, balance: valued },
);
export const portfolioTransaction = object(
  { id: text },
  {
    ...{ timestamp: time, type: open('simple_order', 'earn_reward'), status: text },
    ...{ spend: transactionSide, receive: transactionSide },
  },
);

export const held = object({ symbol: text, type: assetType, amount: money }, { name: text });
export const historyPoint = object({}, { timestamp: time, assets: some(held), value: money, total_pnl: money });

export const reportMembers: Members = { date: text, type: open('swaps'), size: integer, name: text };

export const quoteStatus = open('offered', 'executing', 'executed', 'expired', 'failed');
export const quote = object({
  ...{ id: text, status: quoteStatus, expires_at: time, from: quantity, to: quantity },
  ...{ fees: object({ trade: quantity }), rate: object({ base: named, quote: named, price: money }) },
});

// Amounts of an on-chain transfer are base units inside signed data: text, not money.
export const transfer = object({ from: text, to: text, token: text, amount: digits(78) });
export const onchainQuote = object(
  { id: text, status: quoteStatus, expires_at: time, from: quantity, to: quantity },
  {
    execution_details: object({
      chain_id: text,
      proxy_address: text,
      proxy_swap_message: object({
        atomic_message: object({
          ...{ quote_id: text, expiration: integer, incoming_transfer: transfer, outgoing_transfer: transfer },
        }),
        atomic_signature: text,
        signature: text,
        client_address: text,
      }),
    }),
  },
);

export const tradeAsset = object({}, { symbol: text, type: assetType, name: text });
export const tradeAmount = object({}, { symbol: text, type: assetType, name: text, amount: money });
export const priceTriggerSwap = object(
  { id: text },
  {
    external_reference: text,
    trade: object(
      {},
      {
        ...{ from: tradeAmount, to: tradeAmount, fees: object({}, { trade: tradeAmount }) },
        rate: object({}, { base: tradeAsset, quote: tradeAsset, price: money }),
      },
    ),
    when: object({}, { base: tradeAsset, quote: tradeAsset, drops_to: money, rises_to: money }),
    status: open('active', 'completed', 'cancelled'),
    cancelled_reason: object({}, { code: text }),
  },
);

export const balance = { symbol: text, amount: money, status: open('settled') };
export const endpoint = fc.oneof(
  object({ ...balance, type: fc.constant('balance') }),
  object({
    ...balance,
    type: fc.constant('wallet'),
    wallet: object({ via: text, address: text }, { memo: text, tag: text }),
  }),
  object({ type: fc.constant('bank') }),
  object({ type: text.map((kind) => `later_${kind}`) }),
);
export const conversion = object(
  {
    ...{ id: fc.uuid(), status: open('converting', 'settling', 'failed', 'completed'), from: endpoint },
    to: endpoint,
    rate: object({ base: object({ symbol: text }), quote: object({ symbol: text }), price: money }),
    fees: object({ from: symbolQuantity, trade: symbolQuantity, to: symbolQuantity }),
    ...{ created_at: time, updated_at: time },
  },
  { transaction_references: object({}, { to: object({}, { transaction_id: text, blockchain_transaction_id: text }) }) },
);

export const whitelistedWallet = object(
  {
    ...{ account: text, id: text, via: text, address: text, status: open('pending', 'approved', 'rejected') },
    created_at: time,
  },
  { external_user_id: text },
);

export const bankLink = object({
  ...{ bank_link_id: text, method_id: fc.uuid(), status: open('linked') },
  ...{ accounts_eligibility_status: open('eligible', 'ineligible', 'unknown'), linked_at: time },
  institution: object({ name: text }),
  account_links: some(
    object(
      {
        account_link_id: text,
        account_last4: text,
        status: open('active'),
        eligibility_status: open('eligible', 'unknown'),
      },
      { eligible_rails: some(open('ach', 'rtp')), ineligibility_reasons: some(open('name_mismatch')) },
    ),
  ),
  not_linked_accounts: some(object({ account_last4: text, reason: open('missing_identity') })),
});

export const depositLimit = object({
  method_id: fc.uuid(),
  maximum_amount: quantity,
  period_limits: some(
    object({
      ...{ type: open('amount'), period: open('daily'), period_seconds: integer },
      ...{ asset: ref, remaining: money, maximum: money },
    }),
  ),
});

/** An asset, or a quantity of one, whose name may be missing. */
export const label = object({ symbol: text, type: assetType }, { name: text });
export const labelled = object({ symbol: text, type: assetType, amount: money }, { name: text });
export const fundingMethod = object({ id: fc.uuid() }, { name: text });
export const marks: Members = { tag: nullable(text), memo: nullable(text) };

export const depositMethod = object(
  { id: fc.uuid() },
  {
    ...{
      network: text,
      network_info: fc.jsonValue({ maxDepth: 1 }),
      fee: labelled,
      minimum: labelled,
      maximum: labelled,
    },
    ...{ address_setup_fee: labelled, fee_percentage: money, deposit_limit_meta: fc.jsonValue({ maxDepth: 1 }) },
  },
);
export const expiry: Members = { expire_time: nullable(time) };
export const depositAddress = object({ address: text }, { ...marks, ...expiry, name: text, is_new: flag });
export const depositAddressEntry = object(
  { address: text },
  { ...marks, ...expiry, asset: label, method: fundingMethod },
);
export const withdrawalAddressEntry = object(
  { key: text },
  { ...marks, asset: label, method: fundingMethod, address: text, created_at: time },
);
export const withdrawal = object(
  { ref_id: text },
  { amount: money, fee: money, total: money, fee_token: nullable(text) },
);
export const fundsTransaction = object(
  { ref_id: text },
  { type: open('deposit', 'withdrawal'), timestamp: time, asset: label, amount: money, status: text },
);

export const side = object({
  asset: named,
  ...Object.fromEntries(
    ['total', 'subtotal', 'fee', 'deposit_fee', 'affiliate_fee', 'withdrawal_fee'].map((name) => [
      name,
      nullable(money),
    ]),
  ),
});
export const rampQuote = object({
  from: side,
  to: side,
  unit_price: object({ asset: named, denomination_asset: named, unit_price: money }),
});

export const subscription: Members = { id: text, url: text, description: text, created_at: time, updated_at: time };
export const subscriptionRest: Members = { disabled: flag };
export const kinds = { events: some(open('quote.executed')) };
export const webhook = object({ ...subscription, ...kinds }, subscriptionRest);
export const registeredWebhook = object({ ...subscription, ...kinds, signing_secret: text }, subscriptionRest);
export const webhookTest = object(
  { test_id: text },
  {
    ...{ result: text, http_status: integer, response_body: text, error_message: nullable(text) },
    ...{ payload_sent: text, signature_header: text },
  },
);

export const optionalQuantity = object({ symbol: text, type: assetType }, { name: text, amount: money });
export const knownQuantity = object({ symbol: text, type: assetType, amount: money }, { name: text });
export const inbound = object(
  { id: text },
  {
    ...{ via: text, status: text, lifecycle: text, address: text, memo: text, conversion_rule_id: text },
    routing: object({}, { iban: text, bic: text, routing_number: text, account_number: text, beneficiary_name: text }),
    created_at: time,
  },
);
export const destination = object(
  {},
  { asset: optionalQuantity, destination: object({}, { type: text, wallet_id: text, user_id: text }) },
);
export const conversionRule = object(
  { id: text },
  {
    ...{ name: text, status: open('active', 'paused'), current_uses: integer, inbound },
    ...{
      from: object({}, { asset: optionalQuantity, via: text }),
      to: destination,
      created_at: time,
      updated_at: time,
    },
  },
);
export const accountConversion = object(
  { id: text },
  {
    status: open('pending_deposit', 'converting', 'settling', 'completed', 'failed'),
    from: object({}, { asset: optionalQuantity, source: object({}, { type: text, via: text }) }),
    ...{ to: destination, fees: object({}, { trade: knownQuantity }) },
    chain_references: object({}, { deposit_txid: text, withdraw_txid: text }),
    ...{
      swap_quote: object({}, { id: text, status: text, rate: fc.jsonValue({ maxDepth: 1 }) }),
      inbound,
      transaction_id: text,
      conversion_rule_id: text,
    },
    ...{ created_at: time, updated_at: time },
  },
);
export const expectedDeposit = object(
  { id: text },
  {
    status: open('pending', 'received', 'credited', 'expired'),
    ...{ account: text, asset: knownQuantity, reference: text, inbound, created_at: time },
  },
);
export const moneyTransfer = object(
  { id: text },
  {
    ...{ status: open('pending', 'processing', 'completed', 'failed', 'cancelled'), failure_reason: text },
    ...{ amount: money, from: object({}, { asset: object({}, { symbol: text, type: assetType, amount: money }) }) },
  },
);

export const earnAsset = object(
  { symbol: text, type: assetType },
  { name: text, yield_source: text, apy: money, user_cap: money },
);
export const earnAllocation = object(
  { symbol: text, type: assetType },
  { name: text, allocated: money, allocated_in_quote: money },
);
export const earnReward = object(
  { symbol: text, type: assetType },
  {
    ...{ name: text, rewarded: money, rewarded_in_quote: money, estimated_next_reward: money },
    ...{ estimated_next_reward_in_quote: money, other_assets: fc.jsonValue({ maxDepth: 1 }) },
  },
);
export const inFiat: Members = { quote_symbol: text, quote_type: open('fiat') };

export const range = object({}, { minimum: labelled, maximum: labelled });
export const rampLimit = object(
  {},
  {
    limits: object({}, { deposit: range, withdrawal: range }),
    final_combined: object({}, { in_asset: range, out_asset: range }),
  },
);
export const rampCheckout = object({}, { checkout_url: text, request_data: fc.jsonValue({ maxDepth: 2 }) });
