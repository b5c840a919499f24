import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import { ASSET_FIELDS, balanceForm, depositForm, type Known } from '../../parts/forms/account-forms.js';
import { choicesOf, type FormSpec, fieldsOf } from '../../parts/forms/form-spec.js';
import type { OptionField } from '../../parts/forms/option-fields.js';
import { memberOf } from './values.js';

const textAt = (record: unknown, path: string): string => String(memberOf(record, path) ?? '');

const AMOUNT = fieldsOf({ amount: 'decimal text' });
const ACCOUNT = fieldsOf({ account: '' });
const REASON = fieldsOf({ reason: 'shown as the reason of the failure' });
const BALANCES: OptionField = {
  name: 'balances',
  label: 'balances',
  hint: 'by ticker, for example {"BTC": "2"}',
  kind: 'json',
};

const convertForm = (begin: Known): FormSpec => ({
  title: 'Convert',
  hint: 'Starts an on-demand conversion: a bank pays into a balance, or a balance pays to a bank or wallet.',
  method: 'accounts/convert',
  fields: [
    ...ACCOUNT,
    { name: 'from.type', label: 'from', choices: choicesOf('balance', 'bank') },
    { name: 'from.symbol', label: 'asset paid' },
    { name: 'from.amount', label: 'amount paid', hint: 'decimal text' },
    { name: 'to.type', label: 'to', choices: choicesOf('bank', 'balance', 'wallet') },
    { name: 'to.symbol', label: 'asset received' },
    { name: 'to.wallet_id', label: 'wallet_id', hint: 'the id of an approved wallet, if it goes to one' },
    { name: 'fails', label: 'ends in failed', kind: 'flag' },
  ],
  begin: { 'from.symbol': 'BTC', 'to.symbol': 'USD', ...begin },
  argsOf: ({ account, ...input }) => [account, input],
});

const arrivalForm = (begin: Known): FormSpec => ({
  title: 'Deposit to an address',
  hint: 'Money arrives at a deposit address of the account: pending, received, then credited.',
  method: 'accounts/deposit',
  fields: [
    ...ACCOUNT,
    ...fieldsOf({ address: 'one that the API has given' }),
    ...AMOUNT,
    ...fieldsOf({ tag: 'if the address has one', memo: 'if the address has one' }),
  ],
  begin,
  argsOf: ({ account, ...input }) => [account, input],
});

const linkForm = (begin: Known): FormSpec => ({
  title: 'Link a bank',
  method: 'bankLinks/link',
  fields: [
    ...ACCOUNT,
    { name: 'eligibility', label: 'eligibility', choices: choicesOf('', 'eligible', 'ineligible') },
    { name: 'unknownFor', label: 'unknown for', hint: 'ms; default 0', kind: 'number' },
    { name: 'missingIdentity', label: 'missing identity', kind: 'flag' },
  ],
  begin,
  argsOf: ({ account, ...options }) => [account, options],
});

const limitForm = (begin: Known & { readonly method_id?: string }): FormSpec => ({
  title: 'Set limits',
  hint: 'What deposits of an asset may amount to. Empty fields stay as they are.',
  method: 'limits/set',
  fields: [
    ...ACCOUNT,
    ...ASSET_FIELDS,
    ...fieldsOf({
      method_id: 'default: all methods',
      period: 'for example daily; default: all',
      remaining: 'left of the period',
      maximum: 'of the period',
      maximum_amount: 'of one deposit',
    }),
  ],
  begin,
  argsOf: ({ account, ...limits }) => [account, limits],
});

const addAccountForm = (user = ''): FormSpec => ({
  title: 'Add an account',
  method: 'accounts/add',
  fields: [...fieldsOf({ user: 'its id', name: 'default account-2, and so on' }), BALANCES],
  begin: { user },
  argsOf: ({ user: owner, ...input }) => [owner, input],
});

const rejectForms = (address = ''): FormSpec[] =>
  [
    {
      title: 'Reject an address',
      hint: 'Screening rejects wallets with it from now on.',
      method: 'wallets/rejectAddress',
    },
    {
      title: 'Approve it again',
      hint: 'Screening approves wallets with it again.',
      method: 'wallets/unrejectAddress',
    },
  ].map((form) => ({
    ...form,
    fields: fieldsOf({ address: '' }),
    begin: { address },
    argsOf: ({ address: named }) => [named],
  }));

const failForm = (method: string, id: string): FormSpec => ({
  title: 'Fail with a reason',
  method,
  fields: REASON,
  argsOf: ({ reason }) => [id, reason].filter((one) => one !== undefined),
});

const inboundForm = ({ record }: SandboxResource): FormSpec => ({
  title: 'Let money arrive',
  hint: 'It arrives at the inbound of this resource.',
  method: 'deposits/arrive',
  fields: fieldsOf({ amount: 'decimal text; default: what is expected' }),
  argsOf: ({ amount }) => [textAt(record, 'inbound.id'), amount].filter((one) => one !== undefined),
});

const assetForms = ({ record }: SandboxResource): FormSpec[] => {
  const [symbol, asset_type] = [textAt(record, 'symbol'), textAt(record, 'type')];
  const switchForm = (title: string, method: string): FormSpec => ({
    title,
    method,
    fields: [
      { name: 'uses', label: 'use', kind: 'list', choices: choicesOf('', 'swap_trading', 'withdraw', 'deposit') },
      { name: 'against.symbol', label: 'swaps against', hint: 'a ticker; default: all' },
    ],
    argsOf: (options) => [symbol, { asset_type, ...options }],
  });
  return [
    {
      title: 'Set the price',
      hint: 'Of one unit in US dollars. Price-trigger swaps that wait for it are made at once.',
      method: 'prices/set',
      fields: fieldsOf({ usd: 'decimal text' }),
      begin: { usd: textAt(record, 'usd') },
      argsOf: ({ usd }) => [symbol, usd, asset_type],
    },
    {
      title: 'Move the price',
      method: 'prices/drift',
      fields: [{ name: 'percent', label: 'percent', hint: '-5 is 5 % down', kind: 'number' }],
      begin: { percent: '-5' },
      argsOf: ({ percent }) => [symbol, percent, asset_type],
    },
    switchForm('Disable', 'assets/disable'),
    switchForm('Enable', 'assets/enable'),
    {
      title: 'Set trade limits',
      hint: 'The least and the most that one quote may give. Both empty: no limits.',
      method: 'assets/setTradeLimits',
      fields: fieldsOf({ minimum: 'decimal text', maximum: 'decimal text' }),
      argsOf: (limits) => [symbol, { asset_type, ...limits }],
    },
  ];
};

/** The calls about one resource that need more than its id, by kind. */
export const FORMS: Readonly<Record<string, (resource: SandboxResource) => readonly FormSpec[]>> = {
  users: ({ id, record }) => [
    {
      title: 'Set the status',
      hint: 'The state is any text, an element of required_actions any JSON.',
      method: 'users/setStatus',
      fields: [
        { name: 'state', label: 'state' },
        { name: 'required_actions', label: 'required_actions', kind: 'json' },
      ],
      begin: {
        state: textAt(record, 'status.state'),
        required_actions: JSON.stringify(memberOf(record, 'status.required_actions'), null, 2),
      },
      argsOf: (status) => [id, status],
    },
    addAccountForm(id),
  ],
  verifications: ({ id, status }) =>
    status === 'failed'
      ? []
      : [
          {
            title: 'Fail it with a reason',
            method: 'users/setVerification',
            fields: [
              { name: 'code', label: 'code' },
              { name: 'details', label: 'details', hint: 'with commas between them', kind: 'list' },
            ],
            begin: { code: 'unreadable' },
            argsOf: (reason) => [id, 'failed', [reason]],
          },
        ],
  accounts: ({ id: account }) => [
    depositForm({ account }),
    balanceForm({ account }),
    convertForm({ account }),
    arrivalForm({ account }),
    linkForm({ account }),
    limitForm({ account }),
  ],
  limits: ({ account = '', record }) => [
    limitForm({
      account,
      symbol: textAt(record, 'maximum_amount.symbol'),
      asset_type: textAt(record, 'maximum_amount.type'),
      method_id: textAt(record, 'method_id'),
    }),
  ],
  assets: assetForms,
  wallets: ({ record }) => rejectForms(textAt(record, 'address')),
  transfers: ({ id, status }) =>
    status === 'pending' || status === 'processing' ? [failForm('transfers/fail', id)] : [],
  priceTriggerSwaps: ({ id, status }) => (status === 'active' ? [failForm('priceTriggerSwaps/fail', id)] : []),
  conversions: (one) => (one.status === 'pending_deposit' ? [inboundForm(one)] : []),
  conversionRules: (one) => [inboundForm(one)],
  expectedDeposits: (one) => (one.status === 'pending' ? [inboundForm(one)] : []),
};

/** The calls that make a resource of a kind, or change all of them. */
export const KIND_FORMS: Readonly<Record<string, (known: Known) => readonly FormSpec[]>> = {
  users: () => [
    {
      title: 'Add a user',
      hint: 'In the state ok, with one account.',
      method: 'users/add',
      fields: [...fieldsOf({ external_reference: '' }), BALANCES],
    },
  ],
  accounts: () => [addAccountForm()],
  onDemandConversions: (known) => [convertForm(known)],
  deposits: (known) => [depositForm(known), arrivalForm(known)],
  bankLinks: (known) => [linkForm(known)],
  limits: (known) => [limitForm(known)],
  wallets: () => rejectForms(),
  onchainQuotes: () => [
    {
      title: 'Set the time of pending',
      hint: 'New on-chain quotes are pending for so long.',
      method: 'onchainQuotes/setPendingTime',
      fields: [{ name: 'ms', label: 'ms', kind: 'number' }],
      argsOf: ({ ms }) => [ms],
    },
  ],
};
