import { balanceForm, depositForm } from '../../parts/forms/account-forms.js';
import type { FormSpec, Values } from '../../parts/forms/method-form.js';
import type { SandboxResource } from '../../wire/sandbox.js';
import { memberOf } from './values.js';

/** A form that begins with some values, and with some that are given. */
const form = (label: string, method: string, begin: Values = {}, given: Values = {}): FormSpec => ({
  label,
  method,
  begin,
  given,
});

const SALE: Values = {
  'input.from.type': 'balance',
  'input.from.symbol': 'BTC',
  'input.to.type': 'bank',
  'input.to.symbol': 'USD',
};

const rejectForms = (address = ''): FormSpec[] => [
  form('Reject an address', 'wallets/rejectAddress', { address }),
  form('Approve it again', 'wallets/unrejectAddress', { address }),
];

const textAt = (record: unknown, path: string): string => String(memberOf(record, path) ?? '');

const inboundForm = ({ record }: SandboxResource): FormSpec =>
  form('Let money arrive', 'deposits/arrive', {}, { inboundId: textAt(record, 'inbound.id') });

function assetForms({ record }: SandboxResource): FormSpec[] {
  const [symbol, type] = [textAt(record, 'symbol'), textAt(record, 'type')];
  const given = { symbol, 'options.asset_type': type };
  return [
    form('Set the price', 'prices/set', { usd: textAt(record, 'usd') }, { symbol, assetType: type }),
    form('Disable', 'assets/disable', {}, given),
    form('Enable', 'assets/enable', {}, given),
    form('Set trade limits', 'assets/setTradeLimits', {}, { symbol, 'limits.asset_type': type }),
  ];
}

function userForms({ id: userId, record }: SandboxResource): FormSpec[] {
  const members = ['status.state', 'status.required_actions'];
  const status = Object.fromEntries(members.map((path) => [path, memberOf(record, path)]));
  return [
    form('Set the status', 'users/setStatus', status, { userId }),
    form('Add an account', 'accounts/add', { userId }),
  ];
}

const accountForms = ({ id: accountId }: SandboxResource): FormSpec[] => [
  depositForm({ account: accountId }),
  balanceForm({ account: accountId }),
  form('Convert', 'accounts/convert', { ...SALE, accountId }),
  form('Link a bank', 'bankLinks/add', { accountId }),
  form('Set limits', 'limits/set', { accountId }),
];

const limitForm = ({ account, record }: SandboxResource): FormSpec =>
  form('Set limits', 'limits/set', {
    accountId: account,
    'limits.symbol': textAt(record, 'maximum_amount.symbol'),
    'limits.asset_type': textAt(record, 'maximum_amount.type'),
    'limits.method_id': textAt(record, 'method_id'),
  });

/** Forms that only some states allow. */
const inStates = (states: readonly string[], of: (resource: SandboxResource) => FormSpec) => (one: SandboxResource) =>
  states.includes(one.status ?? '') ? [of(one)] : [];

/** The calls about one resource that need more than its id, by kind. */
export const FORMS: Readonly<Record<string, (resource: SandboxResource) => readonly FormSpec[]>> = {
  users: userForms,
  verifications: inStates(['pending', 'completed'], ({ id }) => {
    const given = { verificationId: id, status: 'failed' };
    return form('Fail it with a reason', 'users/setVerification', { reasons: [{ code: 'unreadable' }] }, given);
  }),
  accounts: accountForms,
  limits: (one) => [limitForm(one)],
  assets: assetForms,
  wallets: ({ record }) => rejectForms(textAt(record, 'address')),
  transfers: inStates(['pending', 'processing'], ({ id }) =>
    form('Fail with a reason', 'transfers/fail', {}, { transferId: id }),
  ),
  conversions: inStates(['pending_deposit'], inboundForm),
  conversionRules: (one) => [inboundForm(one)],
  expectedDeposits: inStates(['pending'], inboundForm),
};

/** The calls that are about no resource that there is, by kind. */
export const KIND_FORMS: Readonly<Record<string, readonly FormSpec[]>> = {
  users: [form('Add a user', 'users/add')],
  wallets: rejectForms(),
  onchainQuotes: [form('Set the time of pending', 'onchainQuotes/setPendingTime')],
};
