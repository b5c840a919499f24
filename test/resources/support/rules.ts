import { ADDRESS_ID, OPERATIONS } from './operations.js';

/** One rule of an input: values at its ends, and values just beyond. */
export interface Rule {
  readonly operations: readonly string[];
  /** A path id by its name, a query member, or a dotted member of the body. */
  readonly member: string;
  readonly accept?: readonly unknown[];
  readonly refuse?: readonly unknown[];
}

const filled = (length: number): string => 'x'.repeat(length);
const NOT_TEXT = [5, null, true, {}, []];
/** A string with a length rule, both ends included. */
const length = (min: number, max: number) => ({
  accept: [filled(min), filled(max)],
  refuse: [...(min > 0 ? [filled(min - 1)] : []), filled(max + 1), ...NOT_TEXT],
});
const required = (rule: { accept?: readonly unknown[]; refuse: readonly unknown[] }) => ({
  ...rule,
  refuse: [...rule.refuse, undefined],
});
const anyText = { accept: ['x', 'any \u00e9 text'], refuse: NOT_TEXT };
const enumeration = (...values: string[]) => ({ accept: values, refuse: ['stock', '', 'Fiat', ...NOT_TEXT] });
const TRANSACTION_TYPES = [
  ...['simple_order', 'simple_order_failed', 'price_trigger_swap', 'price_trigger_swap_failed'],
  ...['earn_reward', 'deposit'],
];
const ASSET_TYPES = ['fiat', 'crypto', 'stablecoin', 'xstock'];
const flag = { accept: [true, false], refuse: ['true', 1, null] };
const pageSize = (max: number) => ({
  accept: [1, max],
  refuse: [0, max + 1, -1, 1.5, '5', Number.NaN, Infinity, true, null],
});

/** Text that looks like a number to somebody, and is no money here. */
export const NO_MONEY: readonly unknown[] = [
  ...[
    ...['', ' ', '1e5', '1E5', '+1', ' 1', '1 ', '1\n', '1.', '.5', '-', '-.5', '--1', '1.2.3', '1,5'],
    ...['1_000', '0x1f', 'NaN'],
  ],
  ...['Infinity', '-Infinity', '\u0661', '\uff11', '1\u00a0000', '$1'],
  ...[1, 1.5, 0, Number.NaN, Infinity, 5n, true, null, {}, [], ['1'], new Date(0), Object('1'), { toFixed: () => '1' }],
];
const amount = { accept: ['0', '1', '1.50', '-0', '-1.5', '0001', '0.000000000000000001'], refuse: NO_MONEY };

const named = (name: string, except: string[] = []): string[] =>
  OPERATIONS.filter((op) => op.template.includes(`{${name}}`) && !except.includes(op.name)).map((op) => op.name);

const SIDES = ['accounts.quotes.create', 'accounts.onchainQuotes.create'];
const ASSETS = ['users.assets.list', 'assets.list'];
const RATES = ['assets.rates.list'];
const TRIGGER = ['accounts.priceTriggerSwaps.create'];
const TRIGGERS = ['accounts.priceTriggerSwaps.list'];
const TRANSACTIONS = ['accounts.portfolio.transactions.list'];
const HISTORY = ['accounts.portfolio.history'];
const REPORTS = ['reports.settlement.list'];
const RAMP = ['rampQuotes.prospective'];
const RULE = ['accounts.conversionRules.create'];
const CONVERSION = ['accounts.conversions.create'];
const DEPOSIT = ['accounts.deposits.create'];
const TRANSFER = ['accounts.transfers.create'];
const EARN = OPERATIONS.filter(({ template }) => template.includes('{account_id}/earn/')).map(({ name }) => name);
const EARN_LISTS = ['earn.auto.assets.list', ...EARN.filter((name) => name.endsWith('.list'))];
const COUNTRIES = ['ramp.countries.list'];
const [CHECKOUT, CHECKOUTS] = ['ramp.checkout.get', ['ramp.limits.get', 'ramp.checkout.get']];
const WHITELIST = ['accounts.wallets.whitelist'];
const SAVE = ['funds.withdrawalAddresses.save'];
const WITHDRAW = ['funds.withdrawals.create'];
const LEDGER = ['funds.transactions.list'];
const [NEW_DEPOSIT_ADDRESS, DEPOSIT_ADDRESSES] = ['funds.depositAddresses.create', 'funds.depositAddresses.list'];
const OTHER_TOKENS = [...LEDGER, ...EARN_LISTS, ...COUNTRIES];

const CREATE_USER = ['users.create'];
const SUBMIT = ['users.verifications.submitUrl'];
const PHONES = ['+491701234567', '12', '123456789012345', '+12'];
const NO_PHONES = [
  '',
  '1',
  '+',
  '0123',
  '+0123',
  '1234567890123456',
  '+49 170',
  '12a',
  '\u0661\u0662',
  '12\n',
  12,
  {},
  [],
];
const NO_NATIONALITIES = ['DE', ['de'], ['DEU'], ['D'], [''], [5], [null], {}, 5];

export const RULES: readonly Rule[] = [
  // ---- path ids
  { operations: named('user_id'), member: 'user_id', ...required(length(14, 42)) },
  {
    operations: named('account_id', ['funds.addresses.delete', ...EARN]),
    member: 'account_id',
    ...required(length(14, 42)),
  },
  { operations: EARN, member: 'account_id', ...required(length(5, 42)) },
  { operations: ['funds.addresses.delete'], member: 'account_id', ...required(length(1, 64)) },
  {
    operations: ['funds.addresses.delete'],
    member: 'address_id',
    accept: [ADDRESS_ID, 'AB00000-00000-000000', 'ABzzzzz-ZZZZZ-999999'],
    refuse: [
      ...['', 'AB00000-00000-00000', 'AB00000-00000-0000000', 'ab00000-00000-000000', 'AC00000-00000-000000'],
      ...[
        'AB00000_00000_000000',
        'AB0000\u00e9-00000-000000',
        'AB00000-00000-00000\n',
        'AB00000-00000-000000\n',
        'ABABABABABABABABABAB',
      ],
      ...[' AB00000-00000-000000', 'AB000000-0000-000000', undefined, ...NOT_TEXT],
    ],
  },
  { operations: named('quote_id'), member: 'quote_id', ...required(length(1, 64)) },
  { operations: named('bank_link_id'), member: 'bank_link_id', ...required(length(4, 128)) },
  ...['conversion_id', 'transfer_id'].map((member) => ({
    ...{ operations: named(member), member, accept: ['c', filled(500)], refuse: ['', undefined, ...NOT_TEXT] },
  })),
  { operations: named('asset_symbol'), member: 'asset_symbol', ...required(length(1, 16)) },
  { operations: named('asset_type'), member: 'asset_type', ...required(enumeration(...ASSET_TYPES)) },
  { operations: named('id'), member: 'id', accept: ['i', filled(500)], refuse: ['', undefined, ...NOT_TEXT] },
  { operations: named('key'), member: 'key', accept: ['k', filled(500)], refuse: ['', undefined, ...NOT_TEXT] },

  // ---- pages
  {
    operations: [...TRANSACTIONS, 'accounts.onDemandConversions.list', 'funds.depositLimits.list', 'webhooks.list'],
    member: 'page_size',
    ...pageSize(25),
  },
  {
    operations: [
      ...[...ASSETS, ...RATES, ...TRIGGERS, 'swap.assets.list', 'accounts.onchainQuotes.list', ...REPORTS],
      'accounts.conversions.list',
      'accounts.transfers.list',
      'funds.depositMethods.list',
      'funds.depositAddresses.list',
      'funds.withdrawalAddresses.list',
    ],
    member: 'page_size',
    ...pageSize(100),
  },
  { operations: LEDGER, member: 'page_size', ...pageSize(500) },
  { operations: LEDGER, member: 'cursor', ...length(1, 256) },
  {
    operations: OPERATIONS.filter(({ name, paged }) => paged && !OTHER_TOKENS.includes(name)).map(({ name }) => name),
    member: 'page_token',
    ...length(1, 256),
  },
  { operations: [...EARN_LISTS, ...COUNTRIES], member: 'page_size', ...pageSize(200) },
  { operations: EARN_LISTS, member: 'page_token', ...length(1, 64) },
  { operations: COUNTRIES, member: 'page_token', ...length(1, 512) },

  // ---- assets, portfolio
  {
    operations: ASSETS,
    member: 'type',
    accept: [undefined, [], ['fiat'], ASSET_TYPES, ['fiat', 'fiat']],
    refuse: [[...ASSET_TYPES, 'fiat'], ['stock'], ['fiat', ''], [1], 5, null],
  },
  ...['swap_trading', 'withdraw', 'deposit'].map((member) => ({ operations: ASSETS, member, ...flag })),
  {
    operations: ASSETS,
    member: 'sort',
    ...enumeration(
      ...[
        ...['trending_rank', 'market_cap_rank', 'market_cap', 'price', 'volume.last_24h', 'symbol', 'name'],
        ...['listing_date'],
      ],
      ...['1h', '24h', '7d', '30d', '1y'].map((period) => `price_change_percent.last_${period}`),
    ),
  },
  { operations: ASSETS, member: 'sort_direction', ...enumeration('asc', 'desc') },
  {
    operations: [
      ...ASSETS,
      ...RATES,
      'assets.get',
      'accounts.portfolio.details',
      'accounts.portfolio.summary',
      ...HISTORY,
    ],
    member: 'quote_symbol',
    ...length(3, 16),
  },
  { operations: ['assets.get'], member: 'quote_type', ...enumeration(...ASSET_TYPES) },
  {
    operations: RATES,
    member: 'interval',
    ...enumeration('PT1M', 'PT5M', 'PT15M', 'PT30M', 'PT1H', 'PT60M', 'PT4H', 'P1D', 'P7D', 'P1W', 'P15D'),
  },
  { operations: RATES, member: 'interval', refuse: ['PT2H', '1h', '60', 'PT1', 'P1M', 'pt1h'] },
  ...['start_timestamp', 'end_timestamp'].map((member) => ({ operations: RATES, member, ...anyText })),
  { operations: HISTORY, member: 'quote_type', ...enumeration(...ASSET_TYPES) },
  {
    operations: TRANSACTIONS,
    member: 'types',
    accept: [undefined, [], TRANSACTION_TYPES, ['deposit', 'deposit']],
    refuse: [['withdrawal'], ['deposit', ''], [1], 'deposit', 5, null],
  },
  {
    operations: [...TRANSACTIONS, ...HISTORY],
    member: 'assets',
    accept: [undefined, [], [{ symbol: 'BTC', type: 'crypto' }], [{ symbol: 'BTC' }, { type: 'fiat' }]],
    refuse: [
      ...[[{}], [{ symbol: 'BT' }], [{ symbol: filled(17) }], [{ type: 'stock' }], [{ symbol: 'BTC', name: 'x' }]],
      ...[[{ symbol: 'BTC' }, { symbol: undefined }], ['BTC'], [null], { symbol: 'BTC' }, 'BTC', 5, null],
    ],
  },
  ...['start_timestamp', 'end_timestamp'].map((member) => ({
    operations: [...TRANSACTIONS, ...HISTORY],
    member,
    accept: ['2026-01-15T12:00:00Z', '2026-01-15T12:00:00.123+01:00'],
    refuse: NOT_TEXT,
  })),
  ...['start_date', 'end_date'].map((member) => ({
    operations: REPORTS,
    member,
    accept: ['2026-01-15'],
    refuse: NOT_TEXT,
  })),
  {
    operations: REPORTS,
    member: 'report_type',
    accept: [undefined, [], ['swaps', 'of a later edition']],
    refuse: [[1], 'swaps', 5, null],
  },
  {
    operations: ['reports.settlement.get'],
    member: 'report_id',
    accept: ['r', filled(500)],
    refuse: ['', undefined, ...NOT_TEXT],
  },
  {
    operations: [...ASSETS, ...RATES, 'accounts.portfolio.summary'],
    member: 'quote_type',
    accept: ['fiat'],
    refuse: ['stablecoin', 'crypto', '', ...NOT_TEXT],
  },
  {
    operations: ['accounts.portfolio.details'],
    member: 'quote_type',
    accept: ['fiat', 'stablecoin'],
    refuse: ['crypto', 'xstock', '', ...NOT_TEXT],
  },

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
  { operations: ['accounts.onchainQuotes.create'], member: 'to.amount', ...amount },
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
  ...['from', 'from.asset', 'from.via', 'to', 'to.asset', 'to.destination', 'to.destination.type'].map((member) => ({
    ...{ operations: RULE, member, refuse: [undefined, null, 5, []] },
  })),
  { operations: RULE, member: 'from.asset.amount', accept: [undefined] },
  { operations: RULE, member: 'name', ...length(0, 256) },
  { operations: RULE, member: 'status', ...enumeration('active', 'paused') },
  ...['from', 'from.asset', 'from.source', 'to', 'to.asset', 'to.destination', 'from.asset.amount'].map((member) => ({
    ...{ operations: CONVERSION, member, accept: [undefined], refuse: [null, 5, []] },
  })),
  ...['from.source.via', 'to.destination.wallet_id', 'to.destination.user_id', 'swap_quote_id', 'transaction_id'].map(
    (member) => ({ operations: CONVERSION, member, accept: [undefined, ...anyText.accept], refuse: NOT_TEXT }),
  ),
  ...['conversion_rule_id', 'status'].map((member) => ({
    ...{ operations: ['accounts.conversions.list'], member, ...anyText },
  })),
  { operations: TRANSFER, member: 'to', refuse: [undefined, null, 5, []] },
  { operations: TRANSFER, member: 'to.tag', accept: ['x'], refuse: NOT_TEXT },
  { operations: TRANSFER, member: 'from', accept: [undefined, {}, { asset: {} }], refuse: [null, 5, []] },
  { operations: TRANSFER, member: 'from.asset.symbol', accept: [undefined, 'x', filled(17)], refuse: NOT_TEXT },
  { operations: TRANSFER, member: 'from.asset.amount', accept: [undefined, ...amount.accept], refuse: NO_MONEY },

  // ---- wallets, withdrawal addresses
  { operations: WHITELIST, member: 'via', ...required(length(1, 32)) },
  { operations: WHITELIST, member: 'address', ...required(length(1, 256)) },
  { operations: WHITELIST, member: 'memo', ...length(0, 64) },
  { operations: WHITELIST, member: 'external_user_id', ...length(0, 128) },
  { operations: SAVE, member: 'asset_symbol', ...required(length(3, 16)) },
  {
    operations: SAVE,
    member: 'method_id',
    accept: ['3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b', '3F0C1F7E-52A5-1B65-9A3D-0F7F6A1D2C3B'],
    refuse: [
      '',
      'bank',
      '3f0c1f7e52a54b659a3d0f7f6a1d2c3b',
      '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3',
      undefined,
      ...NOT_TEXT,
    ],
  },
  ...['key', 'address'].map((member) => ({ operations: SAVE, member, ...required(anyText) })),
  { operations: SAVE, member: 'asset_type', ...enumeration(...ASSET_TYPES) },
  ...['memo', 'tag'].map((member) => ({ operations: SAVE, member, ...anyText })),
  { operations: ['funds.withdrawalAddresses.update'], member: 'new_key', ...required(anyText) },
  { operations: ['funds.withdrawalAddresses.list'], member: 'asset_symbol', ...length(3, 16) },

  // ---- deposits, withdrawals, the ledger
  { operations: [NEW_DEPOSIT_ADDRESS], member: 'method_id', ...required(anyText) },
  {
    operations: [NEW_DEPOSIT_ADDRESS, DEPOSIT_ADDRESSES, ...WITHDRAW],
    member: 'asset_symbol',
    ...required(length(3, 16)),
  },
  {
    operations: [NEW_DEPOSIT_ADDRESS, DEPOSIT_ADDRESSES, ...WITHDRAW],
    member: 'asset_type',
    ...enumeration(...ASSET_TYPES),
  },
  { operations: WITHDRAW, member: 'key', ...required(anyText) },
  {
    operations: WITHDRAW,
    member: 'amount',
    accept: [...amount.accept, '9'.repeat(64), `0.${'1'.repeat(62)}`],
    refuse: [...NO_MONEY, undefined, '9'.repeat(65), `0.${'1'.repeat(63)}`],
  },
  { operations: WITHDRAW, member: 'fee_token', ...anyText },
  { operations: WITHDRAW, member: 'preview', ...flag },
  {
    operations: LEDGER,
    member: 'type',
    accept: ['deposit', 'withdrawal'],
    refuse: ['transfer', '', 'Deposit', undefined, ...NOT_TEXT],
  },

  // ---- users, verifications
  ...['external_reference', 'email', 'full_name.first_name', 'full_name.last_name'].map((member) => ({
    operations: CREATE_USER,
    member,
    ...required(anyText),
  })),
  { operations: ['users.createHeadless'], member: 'external_reference', ...required(anyText) },
  ...['line1', 'city', 'postal_code', 'country'].map((member) => ({
    operations: CREATE_USER,
    member: `residence.${member}`,
    ...required(anyText),
  })),
  ...['full_name', 'residence'].map((member) => ({
    operations: CREATE_USER,
    member,
    refuse: [undefined, null, 'Ada', 5, []],
  })),
  { operations: CREATE_USER, member: 'phone', accept: PHONES, refuse: [...NO_PHONES, undefined, null] },
  { operations: CREATE_USER, member: 'nationalities', accept: [['DE'], ['DE', 'FR'], []], refuse: NO_NATIONALITIES },
  { operations: CREATE_USER, member: 'nationalities', refuse: [undefined, null] },
  { operations: CREATE_USER, member: 'occupation', accept: [undefined, 'engineer', { code: 5 }] },
  { operations: ['users.update'], member: 'phone', accept: [...PHONES, null, undefined], refuse: NO_PHONES },
  {
    operations: ['users.update'],
    member: 'nationalities',
    accept: [['DE'], null, undefined],
    refuse: NO_NATIONALITIES,
  },
  {
    operations: ['users.update'],
    member: 'full_name',
    accept: [{ last_name: 'Blue' }, undefined],
    refuse: ['Ada', null],
  },
  {
    operations: SUBMIT,
    member: 'front_url',
    accept: ['https://d.partner.test', `https://d.partner.test/${filled(4096 - 23)}`, 'HTTPS://d.partner.test/a?b#c'],
    refuse: [
      ...[
        '',
        'd.partner.test/a',
        'http://d.partner.test/a',
        'ftp://d.partner.test',
        'https:d.partner.test',
        'https://',
      ],
      ...[' https://d.partner.test', 'https://d.partner.test\n', 'https://d.partner.test/a b'],
      ...[`https://d.partner.test/${filled(4096 - 22)}`, undefined, ...NOT_TEXT],
    ],
  },
  ...['back_url', 'verifier_response_url', 'type', 'metadata.document_number'].map((member) => ({
    operations: SUBMIT,
    member,
    ...anyText,
  })),
  { operations: SUBMIT, member: 'metadata', accept: [undefined, {}], refuse: ['x', null, 5] },

  // ---- webhooks
  {
    operations: named('webhook_id'),
    member: 'webhook_id',
    accept: ['e', filled(500)],
    refuse: ['', undefined, ...NOT_TEXT],
  },
  {
    operations: ['webhooks.create'],
    member: 'url',
    accept: [
      ...['https://hooks.partner.test', `https://hooks.partner.test/${filled(2048 - 27)}`],
      ...['http://localhost:3000/in', 'http://127.0.0.1/in?a=b', 'http://[::1]:8080'],
    ],
    refuse: [
      ...[
        '',
        'hooks.partner.test',
        'http://hooks.partner.test',
        'http://localhost.partner.test/',
        'http://127.0.0.1.test',
      ],
      ...['https://user:pass@hooks.partner.test', 'https://user@hooks.partner.test', 'http://user@localhost/'],
      ...['ftp://hooks.partner.test', 'https://', ' https://hooks.partner.test', 'https://hooks.partner.test/a b'],
      ...[`https://hooks.partner.test/${filled(2048 - 26)}`, undefined, ...NOT_TEXT],
    ],
  },
  {
    operations: ['webhooks.create', 'webhooks.update'],
    member: 'events',
    accept: [['quote.executed'], ['a.later_kind', 'x'], [], undefined],
    refuse: ['quote.executed', [5], [null], null, {}],
  },
  { operations: ['webhooks.create', 'webhooks.update'], member: 'description', ...anyText },
  { operations: ['webhooks.update'], member: 'disabled', ...flag },
];
