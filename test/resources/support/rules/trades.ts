import {
  ASSET_TYPES,
  amount,
  anyText,
  CHECKOUT,
  CHECKOUTS,
  CONVERSION,
  DEPOSIT,
  enumeration,
  filled,
  length,
  NO_MONEY,
  NOT_TEXT,
  RAMP,
  RULE,
  type Rule,
  required,
  SIDES,
  TRANSFER,
  TRIGGER,
  TRIGGERS,
} from './kinds.js';

/** Ramp, earn, quotes, triggers, conversions, transfers. */
export const TRADE_RULES: readonly Rule[] = [
  // ---- ramp
  ...['from_symbol', 'to_symbol'].map((member) => ({ operations: RAMP, member, ...length(3, 16) })),
  // Which classes are supported may change at the service: the enumeration is the rule.
  ...['from_type', 'to_type'].map((member) => ({ operations: RAMP, member, ...enumeration(...ASSET_TYPES) })),
  ...['from_method', 'to_method', 'subdivision'].map((member) => ({ operations: RAMP, member, ...anyText })),
  {
    operations: RAMP,
    member: 'from_amount',
    accept: [...amount.accept, '9'.repeat(64), `0.${'1'.repeat(62)}`],
    refuse: [...NO_MONEY, '9'.repeat(65), `0.${'1'.repeat(63)}`],
  },
  { operations: RAMP, member: 'country', accept: ['US', 'DE'], refuse: ['U', 'USA', '', ...NOT_TEXT] },
  {
    operations: RAMP,
    member: 'affiliate_fee_bps',
    accept: ['0', '1', '0100', '9999', '10000'],
    refuse: ['10001', '00100', '99999', '', '-1', '1.5', '1 ', ' 1', '1\n', '1e2', 100, null],
  },

  // Names of an older edition, without rules of their own.
  ...[
    ...['in_asset_symbol', 'in_asset_type', 'in_method', 'out_asset_symbol', 'out_asset_type', 'out_method', 'country'],
  ].map((member) => ({ operations: CHECKOUTS, member, ...anyText })),
  ...[
    ...['affiliate_fee_bps', 'subdivision', 'redirect_url', 'failure_url', 'external_user_id'],
    ...['external_transaction_id', 'network', 'wallet_address', 'memo'],
  ].map((member) => ({ operations: [CHECKOUT], member, ...anyText })),
  { operations: [CHECKOUT], member: 'in_amount', ...amount },

  // ---- earn
  {
    operations: ['earn.auto.assets.list'],
    member: 'country',
    accept: ['DE', 'US'],
    refuse: ['D', 'DEU', 'de', 'De', 'D1', '', 'DE\n', ' DE', undefined, ...NOT_TEXT],
  },
  {
    operations: ['accounts.earn.auto.update'],
    member: 'staking',
    accept: ['enabled', 'disabled', undefined],
    refuse: ['pending_enabled', 'Enabled', '', true, ...NOT_TEXT],
  },

  // ---- quotes
  ...['from', 'to'].flatMap((side) => [
    { operations: SIDES, member: `${side}.symbol`, ...required(length(3, 16)) },
    { operations: SIDES, member: `${side}.type`, ...required(enumeration(...ASSET_TYPES)) },
    { operations: SIDES, member: side, refuse: [undefined, null, 'USD', 5, []] },
  ]),
  { operations: ['accounts.quotes.create'], member: 'from.amount', ...amount },
  { operations: ['accounts.onchainQuotes.create'], member: 'from.amount', ...amount },
  { operations: ['accounts.quotes.create'], member: 'fee', accept: [undefined], refuse: [null, 25, '25'] },
  {
    operations: ['accounts.quotes.create'],
    member: 'fee.bps',
    accept: [0, 25],
    refuse: ['25', null, undefined, Number.NaN, Infinity],
  },
  { operations: ['accounts.onchainQuotes.create'], member: 'from.wallet', refuse: [undefined, null, '0xc11e', 5] },
  ...['address', 'network'].map((member) => ({
    operations: ['accounts.onchainQuotes.create'],
    member: `from.wallet.${member}`,
    ...required(anyText),
  })),

  // ---- price-trigger swaps
  ...['trade.from', 'trade.to', 'when.base', 'when.quote'].flatMap((side) => [
    { operations: TRIGGER, member: `${side}.symbol`, ...required(length(3, 16)) },
    { operations: TRIGGER, member: `${side}.type`, ...required(enumeration(...ASSET_TYPES)) },
    { operations: TRIGGER, member: side, refuse: [undefined, null, 'USD', 5, []] },
  ]),
  ...['trade', 'when'].map((member) => ({ operations: TRIGGER, member, refuse: [undefined, null, 'x', 5, []] })),
  { operations: TRIGGER, member: 'trade.from.amount', ...amount },
  { operations: TRIGGER, member: 'when.drops_to', ...amount },
  { operations: TRIGGER, member: 'trade.fee.bps', accept: [0, 25], refuse: ['25', null, undefined, Number.NaN] },
  { operations: TRIGGER, member: 'external_reference', accept: [undefined, '', 'x'], refuse: NOT_TEXT },
  {
    operations: TRIGGERS,
    member: 'statuses',
    accept: [undefined, [], ['active'], ['active', 'completed', 'cancelled']],
    refuse: [['open'], ['active', ''], [1], 'active', null],
  },
  // ---- conversions, deposits, transfers
  ...[RULE, CONVERSION, DEPOSIT].flatMap((operations) => {
    const side = operations === DEPOSIT ? 'asset' : 'from.asset';
    return [
      { operations, member: `${side}.symbol`, ...required(length(3, 16)) },
      { operations, member: `${side}.type`, ...required(enumeration(...ASSET_TYPES)) },
      { operations, member: `${side}.amount`, ...amount },
    ];
  }),
  ...['asset', 'via'].map((member) => ({ operations: DEPOSIT, member, refuse: [undefined, null, 5, []] })),
  { operations: DEPOSIT, member: 'asset.amount', refuse: [undefined] },
  ...['from', 'from.asset', 'from.via', 'to', 'to.asset', 'to.destination'].map((member) => ({
    ...{ operations: RULE, member, refuse: [undefined, null, 5, []] },
  })),
  ...[RULE, CONVERSION].flatMap((operations) =>
    ['type', 'wallet_id', 'user_id'].map((name) => ({
      ...{ operations, member: `to.destination.${name}`, accept: [undefined, ...anyText.accept], refuse: NOT_TEXT },
    })),
  ),
  { operations: RULE, member: 'from.asset.amount', accept: [undefined] },
  { operations: RULE, member: 'name', ...length(0, 256) },
  { operations: RULE, member: 'status', ...enumeration('active', 'paused') },
  ...['from', 'from.asset', 'from.source', 'to', 'to.asset', 'to.destination', 'from.asset.amount'].map((member) => ({
    ...{ operations: CONVERSION, member, accept: [undefined], refuse: [null, 5, []] },
  })),
  ...['from.source.type', 'from.source.via', 'swap_quote_id', 'transaction_id'].map((member) => ({
    ...{ operations: CONVERSION, member, accept: [undefined, ...anyText.accept], refuse: NOT_TEXT },
  })),
  ...['conversion_rule_id', 'status'].map((member) => ({
    ...{ operations: ['accounts.conversions.list'], member, ...anyText },
  })),
  { operations: TRANSFER, member: 'to', refuse: [undefined, null, 5, []] },
  { operations: TRANSFER, member: 'to.tag', accept: ['x'], refuse: NOT_TEXT },
  { operations: TRANSFER, member: 'from', accept: [undefined, {}, { asset: {} }], refuse: [null, 5, []] },
  { operations: TRANSFER, member: 'from.asset.symbol', accept: [undefined, 'x', filled(17)], refuse: NOT_TEXT },
  { operations: TRANSFER, member: 'from.asset.amount', accept: [undefined, ...amount.accept], refuse: NO_MONEY },
];
