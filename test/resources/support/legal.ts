import fc, { type Arbitrary } from 'fast-check';
import { Decimal } from '../../../src/index.js';

/**
 * Random answers that the service may give, resource by resource: optional members absent at random, unknown members anywhere, amounts of
 * any length. Money stands in them as `Money`, so that a test knows where it is: `toWire` gives the JSON, `toExpected` the facts.
 */
export class Money {
  constructor(readonly text: string) {}
}

const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
/** Digits, or a run of zeros before digits: where careless code writes an exponent. */
const manyDigits = fc.oneof(
  digits(60),
  fc.tuple(fc.nat({ max: 40 }), digits(20)).map(([zeros, rest]) => '0'.repeat(zeros) + rest),
);
/** Decimal text with up to 120 significant digits, with leading and trailing zeros. */
export const moneyText = fc
  .tuple(
    fc.constantFrom('', '', '-'),
    fc.oneof(fc.constant('0'), manyDigits),
    fc.option(manyDigits, { nil: undefined }),
  )
  .map(([sign, whole, fraction]) => sign + whole + (fraction === undefined ? '' : `.${fraction}`));

const money: Arbitrary<Money> = moneyText.map((text) => new Money(text));
const text = fc.string({ unit: 'binary', maxLength: 12 });
const integer = fc.nat();
const flag = fc.boolean();
const time = fc.constantFrom('2025-01-02T03:04:05Z', '2025-01-02T03:04:05.678Z', '2025-01-02T03:04:05.678901Z');
/** A value of an enumeration: known, or from a later edition. */
const open = (...known: string[]) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, text);
const some = <T>(item: Arbitrary<T>) => fc.array(item, { maxLength: 3 });

const unknownMembers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.dictionary(
    text.map((name) => `x_${name}`),
    fc.jsonValue({ maxDepth: 1 }),
    { maxKeys: 2 },
  ),
);
type Members = Record<string, Arbitrary<unknown>>;

/** An object: `members` always there, `optional` ones perhaps, and perhaps some that nobody knows. */
function object(members: Members, optional: Members = {}): Arbitrary<Record<string, unknown>> {
  const known = fc.record({ ...members, ...optional }, { requiredKeys: Object.keys(members) });
  return fc.tuple(known, unknownMembers).map(([a, b]) => ({ ...b, ...(a as Record<string, unknown>) }));
}

const assetType = open('fiat', 'crypto', 'stablecoin', 'xstock');
const ref = object({ symbol: text, type: assetType });
const named = object({ symbol: text, type: assetType, name: text });
const quantity = object({ symbol: text, type: assetType, name: text, amount: money });
const symbolQuantity = object({ symbol: text, amount: money });
const enabled = object({ enabled: flag });
const nullable = <T>(value: Arbitrary<T>) => fc.option(value, { nil: null });

const user = object({
  ...{ id: text, external_reference: text, type: open('individual') },
  status: object({ state: open('ok'), required_actions: some(fc.jsonValue({ maxDepth: 1 })) }),
  ...{ created_at: time, accounts: some(object({ id: text, name: open('main', 'secondary') })) },
});

const createdUser = object({ id: text, accounts: some(object({ id: text, name: open('main', 'secondary') })) });

const verification = object(
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

const supplies: Members = { circulating: money, total: money, max: money };
const assetListing = object(
  {
    symbol: text,
    type: assetType,
    name: text,
    status: object({
      swap_trading: object({
        enabled: flag,
        disabled_against: some(object({ symbol: text, type: assetType }, { name: text })),
      }),
      withdraw: enabled,
      deposit: enabled,
    }),
    decimals: object({ funding: integer, swap: integer }),
  },
  {
    logo: object({ width: integer, height: integer, href: text, type: text }),
    ...{ listing_date: fc.constant('2013-09-10'), price: money, market_cap: money, market_cap_rank: integer },
    ...{ trending_rank: integer, volume: object({ last_24h: money }) },
    supply: object({}, { ...supplies, in_quote: object({}, supplies) }),
    price_change_percent: object(
      {},
      { last_1h: money, last_24h: money, last_7d: money, last_30d: money, last_1y: money },
    ),
    ath: object({ value: money, timestamp: time }),
  },
);

const portfolioEntry = object(
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

const portfolioSummary = object(
  {},
  {
    ...{ quote_symbol: text, quote_type: open('fiat'), value: money, cost_basis: money, available: money },
    ...{ withheld: money, open_orders: money, pnl: object({}, { unrealized: money }) },
  },
);

const valued = object({ symbol: text, type: assetType, amount: money }, { name: text, amount_in_quote: money });
const transactionSide = object({}, { timestamp: time, sub_total: valued, fee: valued, total: valued, balance: valued });
const portfolioTransaction = object(
  { id: text },
  {
    ...{ timestamp: time, type: open('simple_order', 'earn_reward'), status: text },
    ...{ spend: transactionSide, receive: transactionSide },
  },
);

const held = object({ symbol: text, type: assetType, amount: money }, { name: text });
const historyPoint = object({}, { timestamp: time, assets: some(held), value: money, total_pnl: money });

const reportMembers: Members = { date: text, type: open('swaps'), size: integer, name: text };

const quoteStatus = open('offered', 'executing', 'executed', 'expired', 'failed');
const quote = object({
  ...{ id: text, status: quoteStatus, expires_at: time, from: quantity, to: quantity },
  ...{ fees: object({ trade: quantity }), rate: object({ base: named, quote: named, price: money }) },
});

// Amounts of an on-chain transfer are base units inside signed data: text, not money.
const transfer = object({ from: text, to: text, token: text, amount: digits(78) });
const onchainQuote = object(
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

const tradeAsset = object({}, { symbol: text, type: assetType, name: text });
const tradeAmount = object({}, { symbol: text, type: assetType, name: text, amount: money });
const priceTriggerSwap = object(
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

const balance = { symbol: text, amount: money, status: open('settled') };
const endpoint = fc.oneof(
  object({ ...balance, type: fc.constant('balance') }),
  object({
    ...balance,
    type: fc.constant('wallet'),
    wallet: object({ via: text, address: text }, { memo: text, tag: text }),
  }),
  object({ type: fc.constant('bank') }),
  object({ type: text.map((kind) => `later_${kind}`) }),
);
const conversion = object(
  {
    ...{ id: fc.uuid(), status: open('converting', 'settling', 'failed', 'completed'), from: endpoint },
    to: endpoint,
    rate: object({ base: object({ symbol: text }), quote: object({ symbol: text }), price: money }),
    fees: object({ from: symbolQuantity, trade: symbolQuantity, to: symbolQuantity }),
    ...{ created_at: time, updated_at: time },
  },
  { transaction_references: object({}, { to: object({}, { transaction_id: text, blockchain_transaction_id: text }) }) },
);

const whitelistedWallet = object(
  {
    ...{ account: text, id: text, via: text, address: text, status: open('pending', 'approved', 'rejected') },
    created_at: time,
  },
  { external_user_id: text },
);

const bankLink = object({
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

const depositLimit = object({
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
const label = object({ symbol: text, type: assetType }, { name: text });
const labelled = object({ symbol: text, type: assetType, amount: money }, { name: text });
const fundingMethod = object({ id: fc.uuid() }, { name: text });
const marks: Members = { tag: nullable(text), memo: nullable(text) };

const depositMethod = object(
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
const expiry: Members = { expire_time: nullable(time) };
const depositAddress = object({ address: text }, { ...marks, ...expiry, name: text, is_new: flag });
const depositAddressEntry = object({ address: text }, { ...marks, ...expiry, asset: label, method: fundingMethod });
const withdrawalAddressEntry = object(
  { key: text },
  { ...marks, asset: label, method: fundingMethod, address: text, created_at: time },
);
const withdrawal = object({ ref_id: text }, { amount: money, fee: money, total: money, fee_token: nullable(text) });
const fundsTransaction = object(
  { ref_id: text },
  { type: open('deposit', 'withdrawal'), timestamp: time, asset: label, amount: money, status: text },
);

const side = object({
  asset: named,
  ...Object.fromEntries(
    ['total', 'subtotal', 'fee', 'deposit_fee', 'affiliate_fee', 'withdrawal_fee'].map((name) => [
      name,
      nullable(money),
    ]),
  ),
});
const rampQuote = object({
  from: side,
  to: side,
  unit_price: object({ asset: named, denomination_asset: named, unit_price: money }),
});

const subscription: Members = { id: text, url: text, created_at: time, updated_at: time };
const subscriptionRest: Members = { description: text, disabled: flag };
const kinds = { events: some(open('quote.executed')) };
const webhook = object({ ...subscription, ...kinds }, subscriptionRest);
const registeredWebhook = object({ ...subscription, ...kinds, signing_secret: text }, subscriptionRest);
const webhookTest = object(
  { test_id: text },
  {
    ...{ result: text, http_status: integer, response_body: text, error_message: nullable(text) },
    ...{ payload_sent: fc.jsonValue({ maxDepth: 1 }), signature_header: text },
  },
);

const optionalQuantity = object({ symbol: text, type: assetType }, { name: text, amount: money });
const knownQuantity = object({ symbol: text, type: assetType, amount: money }, { name: text });
const inbound = object(
  { id: text },
  {
    ...{ via: text, status: text, lifecycle: text, address: text, memo: text, conversion_rule_id: text },
    routing: object({}, { iban: text, bic: text, routing_number: text, account_number: text, beneficiary_name: text }),
    created_at: time,
  },
);
const destination = object(
  {},
  { asset: optionalQuantity, destination: object({ type: text }, { wallet_id: text, user_id: text }) },
);
const conversionRule = object(
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
const accountConversion = object(
  { id: text },
  {
    status: open('pending_deposit', 'converting', 'settling', 'completed', 'failed'),
    from: object({}, { asset: optionalQuantity, source: object({ type: text }, { via: text }) }),
    ...{ to: destination, fees: object({}, { trade: knownQuantity }) },
    chain_references: object({}, { deposit_txid: text, withdraw_txid: text }),
    ...{ swap_quote: fc.jsonValue({ maxDepth: 2 }), inbound, transaction_id: text, conversion_rule_id: text },
    ...{ created_at: time, updated_at: time },
  },
);
const expectedDeposit = object(
  { id: text },
  {
    status: open('pending', 'received', 'credited', 'expired'),
    ...{ account: text, asset: knownQuantity, reference: text, inbound, created_at: time },
  },
);
const moneyTransfer = object(
  { id: text },
  { status: open('pending', 'processing', 'completed', 'failed', 'cancelled'), failure_reason: text },
);

const earnAsset = object(
  { symbol: text, type: assetType },
  { name: text, yield_source: fc.jsonValue({ maxDepth: 1 }), apy: money, user_cap: fc.jsonValue({ maxDepth: 1 }) },
);
const earnAllocation = object(
  { symbol: text, type: assetType },
  { name: text, allocated: money, allocated_in_quote: money },
);
const earnReward = object(
  { symbol: text, type: assetType },
  {
    ...{ name: text, rewarded: money, rewarded_in_quote: money, estimated_next_reward: money },
    ...{ estimated_next_reward_in_quote: money, other_assets: fc.jsonValue({ maxDepth: 1 }) },
  },
);
const inFiat: Members = { quote_symbol: text, quote_type: open('fiat') };

const range = object({}, { minimum: labelled, maximum: labelled });
const rampLimit = object(
  {},
  {
    limits: object({}, { deposit: range, withdrawal: range }),
    final_combined: object({}, { in_asset: range, out_asset: range }),
  },
);
const rampCheckout = object({}, { checkout_url: text, request_data: fc.jsonValue({ maxDepth: 2 }) });

const wrapped = (value: Arbitrary<unknown>) => object({ data: value });
// Never the token that a sample asks with: a page that repeats it is refused.
const tokenOf = (max: number) => ({
  next_page_token: nullable(fc.string({ maxLength: max - 5 }).map((token) => `next ${token}`)),
});
const paged = (item: Arbitrary<unknown>, echoes: Members = {}, optional: Members = {}, maxToken = 256) =>
  object({ data: some(item), ...echoes }, { ...tokenOf(maxToken), ...optional });

const assetEchoes: Members = {
  ...{ quote_symbol: text, quote_type: open('fiat'), page_size: integer, sort: open('price') },
  sort_direction: open('asc'),
};
const assetFilters: Members = { type: some(assetType), swap_trading: flag, withdraw: flag, deposit: flag };

/** The whole body of each operation's answer. */
export const LEGAL: Readonly<Record<string, Arbitrary<Record<string, unknown>>>> = {
  'users.get': wrapped(user),
  'users.create': wrapped(createdUser),
  'users.createHeadless': wrapped(createdUser),
  'users.verifications.submitUrl': wrapped(object({ verification_id: text })),
  'users.verifications.list': wrapped(object({ verifications: some(verification) })),
  'users.assets.list': paged(assetListing, assetEchoes, assetFilters),
  'assets.list': paged(assetListing, assetEchoes, assetFilters),
  'assets.get': wrapped(assetListing),
  'assets.rates.list': paged(
    object({}, { timestamp: time, price: money }),
    {},
    {
      ...{ quote_symbol: text, quote_type: open('fiat'), start_timestamp: time, end_timestamp: time },
      ...{ interval: open('PT1H'), page_size: integer },
    },
  ),
  'swap.assets.list': paged(object({}, { supported_rails: some(fc.jsonValue({ maxDepth: 1 })) })),
  'accounts.conversionRules.create': wrapped(conversionRule),
  'accounts.conversions.create': wrapped(accountConversion),
  'accounts.conversions.list': paged(accountConversion),
  'accounts.deposits.create': wrapped(expectedDeposit),
  'accounts.transfers.create': wrapped(moneyTransfer),
  'accounts.transfers.list': paged(moneyTransfer),
  'conversions.get': wrapped(accountConversion),
  'transfers.get': wrapped(moneyTransfer),
  'accounts.onDemandConversions.list': paged(conversion),
  'accounts.quotes.get': wrapped(quote),
  'accounts.quotes.create': wrapped(quote),
  'accounts.quotes.execute': wrapped(object({ id: text, status: quoteStatus }, { executed_at: time })),
  'accounts.onchainQuotes.create': wrapped(onchainQuote),
  'accounts.onchainQuotes.get': wrapped(onchainQuote),
  'accounts.onchainQuotes.list': paged(onchainQuote),
  'accounts.priceTriggerSwaps.create': wrapped(object({ id: text })),
  'accounts.priceTriggerSwaps.get': wrapped(priceTriggerSwap),
  'accounts.priceTriggerSwaps.list': paged(priceTriggerSwap),
  'accounts.portfolio.details': object({ data: some(portfolioEntry), quote_symbol: text, quote_type: open('fiat') }),
  'accounts.portfolio.summary': wrapped(portfolioSummary),
  'accounts.portfolio.transactions.list': paged(portfolioTransaction),
  'accounts.portfolio.history': object(
    { data: some(historyPoint) },
    { quote_symbol: text, quote_type: open('fiat'), start_timestamp: time, end_timestamp: time },
  ),
  'accounts.earn.auto.get': object({}, { staking: open('enabled', 'disabled', 'pending_enabled', 'pending_disabled') }),
  'accounts.earn.auto.assets.list': paged(earnAsset, {}, {}, 64),
  'accounts.earn.auto.allocations.list': paged(earnAllocation, {}, { ...inFiat, total_allocated_in_quote: money }, 64),
  'accounts.earn.auto.rewards.list': paged(
    earnReward,
    {},
    { ...inFiat, total_rewarded_in_quote: money, next_reward_date: nullable(time) },
    64,
  ),
  'accounts.wallets.whitelist': wrapped(whitelistedWallet),
  'funds.withdrawalAddresses.save': wrapped(object({ key: text, tag: nullable(text) })),
  'funds.withdrawalAddresses.update': wrapped(object({ key: text })),
  'funds.bankLinks.get': wrapped(bankLink),
  'funds.depositLimits.list': paged(depositLimit),
  'funds.withdrawalAddresses.list': paged(withdrawalAddressEntry),
  'funds.depositMethods.list': paged(depositMethod),
  'funds.depositAddresses.create': wrapped(depositAddress),
  'funds.depositAddresses.list': paged(depositAddressEntry),
  'funds.withdrawals.create': wrapped(withdrawal),
  'funds.transactions.list': paged(fundsTransaction),
  'earn.auto.assets.list': paged(earnAsset, {}, {}, 64),
  'ramp.countries.list': paged(object({ country: text }, { subdivisions: fc.jsonValue({ maxDepth: 1 }) }), {}, {}, 512),
  'ramp.fiatCurrencies.list': wrapped(fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null)),
  'ramp.limits.get': wrapped(rampLimit),
  'ramp.checkout.get': wrapped(rampCheckout),
  'rampQuotes.prospective': wrapped(rampQuote),
  'reports.settlement.list': paged(object({ id: fc.uuid() }, reportMembers)),
  'reports.settlement.get': wrapped(
    object(
      { id: fc.constant('8a6e0804-2bd0-4672-b79d-d97027f9071a') },
      { ...reportMembers, download_url: text, expires_at: time },
    ),
  ),
  'webhooks.list': paged(webhook),
  'webhooks.create': wrapped(registeredWebhook),
  'webhooks.update': wrapped(webhook),
  'webhooks.delete': wrapped(object({ webhook_id: text }, { deleted_at: time })),
  'webhooks.test': wrapped(webhookTest),
};

/** The shortest text of the same number, found without any arithmetic of numbers. */
export function canonical(decimal: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(decimal) ?? [];
  if (whole === '') return `no plain decimal: ${decimal}`;
  const trimmed = fraction.replace(/0+$/, '');
  const number = whole.replace(/^0+(?=.)/, '') + (trimmed === '' ? '' : `.${trimmed}`);
  return number === '0' ? '0' : sign + number;
}

function mapped(value: unknown, change: (value: object) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value);
  if (changed !== undefined) return changed;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, change)]));
}

export const toWire = (value: unknown): unknown =>
  mapped(value, (each) => (each instanceof Money ? each.text : undefined));
/** Money as `{ money: <shortest text> }`, everything else as it is. */
export const toExpected = (value: unknown): unknown =>
  mapped(value, (each) => (each instanceof Money ? { money: canonical(each.text) } : undefined));
/** A result in the same form, with its `Decimal`s read by `toFixed()`. */
export const toSeen = (value: unknown): unknown =>
  mapped(value, (each) => (Decimal.isDecimal(each) ? { money: canonical((each as Decimal).toFixed()) } : undefined));
