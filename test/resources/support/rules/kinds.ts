import { OPERATIONS } from '../operations.js';

/** One rule of an input: values at its ends, and values just beyond. */
export interface Rule {
  readonly operations: readonly string[];
  /** A path id by its name, a query member, or a dotted member of the body. */
  readonly member: string;
  readonly accept?: readonly unknown[];
  readonly refuse?: readonly unknown[];
}

export const filled = (length: number): string => 'x'.repeat(length);
export const NOT_TEXT = [5, null, true, {}, []];
/** A string with a length rule, both ends included. */
export const length = (min: number, max: number) => ({
  accept: [filled(min), filled(max)],
  refuse: [...(min > 0 ? [filled(min - 1)] : []), filled(max + 1), ...NOT_TEXT],
});
export const required = (rule: { accept?: readonly unknown[]; refuse: readonly unknown[] }) => ({
  ...rule,
  refuse: [...rule.refuse, undefined],
});
export const anyText = { accept: ['x', 'any \u00e9 text'], refuse: NOT_TEXT };
export const enumeration = (...values: string[]) => ({ accept: values, refuse: ['stock', '', 'Fiat', ...NOT_TEXT] });
export const TRANSACTION_TYPES = [
  ...['simple_order', 'simple_order_failed', 'price_trigger_swap', 'price_trigger_swap_failed'],
  ...['earn_reward', 'deposit'],
];
export const ASSET_TYPES = ['fiat', 'crypto', 'stablecoin', 'xstock'];
export const flag = { accept: [true, false], refuse: ['true', 1, null] };
/** @param max Default: the service documents none, so none is checked. */
export const pageSize = (max?: number) => ({
  accept: max === undefined ? [1, 100, 101, 500, 2 ** 31] : [1, max],
  refuse: [0, ...(max === undefined ? [] : [max + 1]), -1, 1.5, '5', Number.NaN, Infinity, true, null],
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
export const amount = { accept: ['0', '1', '1.50', '-0', '-1.5', '0001', '0.000000000000000001'], refuse: NO_MONEY };

export const named = (name: string, except: string[] = []): string[] =>
  OPERATIONS.filter((op) => op.template.includes(`{${name}}`) && !except.includes(op.name)).map((op) => op.name);

export const SIDES = ['accounts.quotes.create', 'accounts.onchainQuotes.create'];
export const ASSETS = ['users.assets.list', 'assets.list'];
export const RATES = ['assets.rates.list'];
export const TRIGGER = ['accounts.priceTriggerSwaps.create'];
export const TRIGGERS = ['accounts.priceTriggerSwaps.list'];
export const TRANSACTIONS = ['accounts.portfolio.transactions.list'];
export const HISTORY = ['accounts.portfolio.history'];
export const REPORTS = ['reports.settlement.list'];
export const RAMP = ['rampQuotes.prospective'];
export const RULE = ['accounts.conversionRules.create'];
export const CONVERSION = ['accounts.conversions.create'];
export const DEPOSIT = ['accounts.deposits.create'];
export const TRANSFER = ['accounts.transfers.create'];
export const EARN = OPERATIONS.filter(({ template }) => template.includes('{account_id}/earn/')).map(
  ({ name }) => name,
);
export const EARN_LISTS = ['earn.auto.assets.list', ...EARN.filter((name) => name.endsWith('.list'))];
export const COUNTRIES = ['ramp.countries.list'];
export const CURRENCIES = ['ramp.fiatCurrencies.list'];
export const [CHECKOUT, CHECKOUTS] = ['ramp.checkout.get', ['ramp.limits.get', 'ramp.checkout.get']];
export const WHITELIST = ['accounts.wallets.whitelist'];
export const SAVE = ['funds.withdrawalAddresses.save'];
export const VALIDATE = ['funds.withdrawalAddresses.validate'];
export const WITHDRAW = ['funds.withdrawals.create'];
export const LEDGER = ['funds.transactions.list'];
export const [NEW_DEPOSIT_ADDRESS, DEPOSIT_ADDRESSES] = [
  'funds.depositAddresses.create',
  'funds.depositAddresses.list',
];
export const OTHER_TOKENS = [...LEDGER, ...EARN_LISTS, ...COUNTRIES, ...CURRENCIES];

export const CREATE_USER = ['users.create'];
export const SUBMIT = ['users.verifications.submitUrl'];
export const DOCUMENT_URLS = [
  'https://d.partner.test',
  `https://d.partner.test/${filled(4096 - 23)}`,
  'HTTPS://d.partner.test/a?b#c',
];
export const NO_DOCUMENT_URLS = [
  ...['', 'd.partner.test/a', 'http://d.partner.test/a', 'ftp://d.partner.test', 'https:d.partner.test', 'https://'],
  ...[' https://d.partner.test', 'https://d.partner.test\n', 'https://d.partner.test/a b'],
  ...[`https://d.partner.test/${filled(4096 - 22)}`, ...NOT_TEXT],
];
export const PHONES = ['+491701234567', '12', '123456789012345', '+12'];
export const NO_PHONES = [
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
export const NO_NATIONALITIES = ['DE', ['de'], ['DEU'], ['D'], [''], [5], [null], {}, 5];
