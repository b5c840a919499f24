import type { SandboxResource } from '../../../sandbox/look/resources.js';
import { ASSET_CLASSES, balanceForm, depositForm } from '../../parts/account-forms.js';
import { type FormSpec, given, jsonIn } from '../../parts/call-form.js';
import { memberOf } from './values.js';

const textAt = (record: unknown, path: string): string => String(memberOf(record, path) ?? '');

const BALANCES = { name: 'balances', hint: 'JSON by ticker, for example {"BTC": "2"}' } as const;
const USES = ['all', 'swap_trading', 'withdraw', 'deposit'];

const accountField = (account: string | undefined) => ({
  name: 'account',
  ...(account === undefined ? {} : { initial: account }),
});

const convertForm = (account: string | undefined): FormSpec => ({
  title: 'Convert',
  hint: 'Starts an on-demand conversion: a bank pays into a balance, or a balance pays to a bank or wallet.',
  method: 'accounts/convert',
  fields: [
    accountField(account),
    { name: 'from', options: ['balance', 'bank'], initial: 'balance' },
    { name: 'from_symbol', label: 'asset paid', initial: 'BTC' },
    { name: 'amount', label: 'amount paid', hint: 'decimal text' },
    { name: 'to', options: ['bank', 'balance', 'wallet'], initial: 'bank' },
    { name: 'to_symbol', label: 'asset received', initial: 'USD' },
    { name: 'wallet_id', hint: 'only to a wallet: the id of an approved one' },
    { name: 'end', options: ['completes', 'fails'], initial: 'completes' },
  ],
  args: ({
    account: named,
    from = '',
    from_symbol = '',
    amount = '',
    to = '',
    to_symbol = '',
    wallet_id = '',
    end,
  }) => [
    named,
    {
      from: { type: from, symbol: from_symbol, amount },
      to: { type: to, symbol: to_symbol, ...given({ wallet_id }) },
      ...(end === 'fails' ? { fails: true } : {}),
    },
  ],
});

const arrivalForm = (account: string | undefined): FormSpec => ({
  title: 'Deposit to an address',
  hint: 'Money arrives at a deposit address of the account: pending, received, then credited.',
  method: 'accounts/deposit',
  fields: [
    accountField(account),
    { name: 'address', hint: 'one that the API has given' },
    { name: 'amount', hint: 'decimal text' },
    ...['tag', 'memo'].map((name) => ({ name, hint: 'if the address has one' })),
  ],
  args: ({ account: named, ...values }) => [named, given(values)],
});

const linkForm = (account: string | undefined): FormSpec => ({
  title: 'Link a bank',
  method: 'bankLinks/link',
  fields: [
    accountField(account),
    { name: 'eligibility', options: ['eligible', 'ineligible', 'missing identity'], initial: 'eligible' },
    { name: 'unknownFor', label: 'unknown for, in ms', hint: 'default 0' },
  ],
  args: ({ account: named, eligibility, unknownFor = '' }) => [
    named,
    eligibility === 'missing identity'
      ? { missingIdentity: true }
      : { eligibility, ...(unknownFor === '' ? {} : { unknownFor: Number(unknownFor) }) },
  ],
});

const limitForm = (account: string | undefined, record?: unknown): FormSpec => ({
  title: 'Set limits',
  hint: 'What deposits of an asset may amount to. Empty fields stay as they are.',
  method: 'limits/set',
  fields: [
    accountField(account),
    { name: 'symbol', initial: textAt(record, 'maximum_amount.symbol') },
    { name: 'asset_type', label: 'class', options: ASSET_CLASSES, initial: textAt(record, 'maximum_amount.type') },
    { name: 'method_id', initial: textAt(record, 'method_id'), hint: 'default: all methods' },
    { name: 'period', hint: 'for example daily; default: all' },
    { name: 'remaining', hint: 'left of the period' },
    { name: 'maximum', hint: 'of the period' },
    { name: 'maximum_amount', hint: 'of one deposit' },
  ],
  args: ({ account: named, ...values }) => [named, given(values)],
});

const addAccountForm = (userId = ''): FormSpec => ({
  title: 'Add an account',
  method: 'accounts/add',
  fields: [{ name: 'user', initial: userId }, { name: 'name', hint: 'default account-2, and so on' }, BALANCES],
  args: ({ user, name = '', balances = '' }) => [user, { ...given({ name }), balances: jsonIn('balances', balances) }],
});

const rejectAddressForms = (address = ''): FormSpec[] =>
  [
    {
      title: 'Reject an address',
      hint: 'Screening rejects wallets with it from now on.',
      method: 'wallets/rejectAddress',
    },
    { title: 'Approve it again', hint: 'Screening approves wallets with it again.', method: 'wallets/unrejectAddress' },
  ].map((form) => ({
    ...form,
    fields: [{ name: 'address', initial: address }],
    args: ({ address: named }) => [named],
  }));

const reasonForm = (title: string, method: string, id: string): FormSpec => ({
  title,
  method,
  fields: [{ name: 'reason', hint: 'shown as the reason of the failure' }],
  args: ({ reason = '' }) => (reason === '' ? [id] : [id, reason]),
});

const inboundForm = ({ record }: SandboxResource): FormSpec[] => {
  const inbound = textAt(record, 'inbound.id');
  return [
    {
      title: 'Let money arrive',
      hint: 'It arrives at the inbound of this resource.',
      method: 'deposits/arrive',
      fields: [{ name: 'amount', hint: 'default: what is expected' }],
      args: ({ amount = '' }) => (amount === '' ? [inbound] : [inbound, amount]),
    },
  ];
};

const assetForms = ({ record }: SandboxResource): FormSpec[] => {
  const [symbol, asset_type] = [textAt(record, 'symbol'), textAt(record, 'type')];
  const use = { name: 'use', options: USES, initial: 'all' } as const;
  const against = { name: 'against', label: 'only swaps against', hint: 'a ticker; default: all' } as const;
  const optionsOf = (chosen = '', other = '') => ({
    asset_type,
    ...(other === '' ? (chosen === 'all' ? {} : { uses: [chosen] }) : { against: { symbol: other } }),
  });
  return [
    {
      title: 'Set the price',
      hint: 'Of one unit in US dollars. Price-trigger swaps that wait for it are made at once.',
      method: 'prices/set',
      fields: [{ name: 'usd', initial: textAt(record, 'usd') }],
      args: ({ usd }) => [symbol, usd, asset_type],
    },
    {
      title: 'Move the price',
      method: 'prices/drift',
      fields: [{ name: 'percent', hint: '-5 is 5 % down', initial: '-5' }],
      args: ({ percent }) => [symbol, Number(percent), asset_type],
    },
    ...(['disable', 'enable'] as const).map(
      (what): FormSpec => ({
        title: what === 'disable' ? 'Disable' : 'Enable',
        method: `assets/${what}`,
        fields: [use, against],
        args: (values) => [symbol, optionsOf(values['use'], values['against'])],
      }),
    ),
    {
      title: 'Set trade limits',
      hint: 'The least and the most that one quote may give. Both empty: no limits.',
      method: 'assets/setTradeLimits',
      fields: ['minimum', 'maximum'].map((name) => ({ name, hint: 'decimal text' })),
      args: (values) => [symbol, { asset_type, ...given(values) }],
    },
  ];
};

/** The calls about one resource that need more than its id, by kind. */
export const FORMS: Readonly<Record<string, (resource: SandboxResource) => readonly FormSpec[]>> = {
  users: ({ id, record }) => [
    {
      title: 'Set the status',
      hint: 'The state is any text. Each required action is any JSON.',
      method: 'users/setStatus',
      fields: [
        { name: 'state', initial: textAt(record, 'status.state') },
        {
          name: 'required_actions',
          isLong: true,
          initial: JSON.stringify(memberOf(record, 'status.required_actions'), null, 2),
        },
      ],
      args: ({ state = '', required_actions = '' }) => [
        id,
        { ...given({ state }), required_actions: jsonIn('required_actions', required_actions) },
      ],
    },
    addAccountForm(id),
  ],
  verifications: ({ id }) => [
    {
      title: 'Fail it with reasons',
      method: 'users/setVerification',
      fields: [
        { name: 'code', initial: 'unreadable' },
        { name: 'details', hint: 'any text' },
      ],
      args: ({ code, details = '' }) => [id, 'failed', [{ code, ...(details === '' ? {} : { details: [details] }) }]],
    },
  ],
  accounts: ({ id }) => [
    depositForm(id),
    balanceForm(id),
    convertForm(id),
    arrivalForm(id),
    linkForm(id),
    limitForm(id),
  ],
  limits: ({ account, record }) => [limitForm(account, record)],
  assets: assetForms,
  wallets: ({ record }) => rejectAddressForms(textAt(record, 'address')),
  transfers: ({ id, status }) =>
    status === 'pending' || status === 'processing' ? [reasonForm('Fail with a reason', 'transfers/fail', id)] : [],
  priceTriggerSwaps: ({ id, status }) =>
    status === 'active' ? [reasonForm('Fail with a reason', 'priceTriggerSwaps/fail', id)] : [],
  conversions: (one) => (one.status === 'pending_deposit' ? inboundForm(one) : []),
  conversionRules: inboundForm,
  expectedDeposits: (one) => (one.status === 'pending' ? inboundForm(one) : []),
};

/** The calls that make a resource of a kind, or change all of them. */
export const KIND_FORMS: Readonly<Record<string, (account: string | undefined) => readonly FormSpec[]>> = {
  users: () => [
    {
      title: 'Add a user',
      hint: 'In the state ok, with one account.',
      method: 'users/add',
      fields: [{ name: 'external_reference' }, BALANCES],
      args: ({ external_reference, balances = '' }) => [{ external_reference, balances: jsonIn('balances', balances) }],
    },
  ],
  accounts: () => [addAccountForm()],
  onDemandConversions: (account) => [convertForm(account)],
  deposits: (account) => [arrivalForm(account)],
  bankLinks: (account) => [linkForm(account)],
  limits: (account) => [limitForm(account)],
  wallets: () => rejectAddressForms(),
  onchainQuotes: () => [
    {
      title: 'Set the time of pending',
      hint: 'So long new on-chain quotes that are pending stay so.',
      method: 'onchainQuotes/setPendingTime',
      fields: [{ name: 'ms', hint: 'milliseconds' }],
      args: ({ ms }) => [Number(ms)],
    },
  ],
};
