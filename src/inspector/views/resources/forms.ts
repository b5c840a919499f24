import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import { balanceForm, depositForm, type Known } from '../../parts/forms/account-forms.js';
import type { FormSpec, Values } from '../../parts/forms/method-form.js';
import { memberOf } from './values.js';

const textAt = (record: unknown, path: string): string => String(memberOf(record, path) ?? '');

const convertForm = (begin: Values): FormSpec => ({
  label: 'Convert',
  method: 'accounts/convert',
  begin: {
    'input.from.type': 'balance',
    'input.from.symbol': 'BTC',
    'input.to.type': 'bank',
    'input.to.symbol': 'USD',
    ...begin,
  },
});

const linkForm = (begin: Values): FormSpec => ({ label: 'Link a bank', method: 'bankLinks/add', begin });

const limitForm = (begin: Values): FormSpec => ({ label: 'Set limits', method: 'limits/set', begin });

const addAccountForm = (begin: Values = {}): FormSpec => ({ label: 'Add an account', method: 'accounts/add', begin });

const rejectForms = (address = ''): FormSpec[] => {
  const begin = { address };
  return [
    { label: 'Reject an address', method: 'wallets/rejectAddress', begin },
    { label: 'Approve it again', method: 'wallets/unrejectAddress', begin },
  ];
};

const failForm = (method: string, given: Values): FormSpec => ({ label: 'Fail with a reason', method, given });

const inboundForm = ({ record }: SandboxResource): FormSpec => ({
  label: 'Let money arrive',
  method: 'deposits/arrive',
  given: { inboundId: textAt(record, 'inbound.id') },
});

const assetForms = ({ record }: SandboxResource): FormSpec[] => {
  const [symbol, type] = [textAt(record, 'symbol'), textAt(record, 'type')];
  const priced = { symbol, assetType: type };
  const given = { symbol, 'options.asset_type': type };
  return [
    { label: 'Set the price', method: 'prices/set', given: priced, begin: { usd: textAt(record, 'usd') } },
    { label: 'Disable', method: 'assets/disable', given },
    { label: 'Enable', method: 'assets/enable', given },
    { label: 'Set trade limits', method: 'assets/setTradeLimits', given: { symbol, 'limits.asset_type': type } },
  ];
};

/** The calls about one resource that need more than its id, by kind. */
export const FORMS: Readonly<Record<string, (resource: SandboxResource) => readonly FormSpec[]>> = {
  users: ({ id, record }) => [
    {
      label: 'Set the status',
      method: 'users/setStatus',
      given: { userId: id },
      begin: {
        'status.state': textAt(record, 'status.state'),
        'status.required_actions': memberOf(record, 'status.required_actions'),
      },
    },
    addAccountForm({ userId: id }),
  ],
  verifications: ({ id, status }) =>
    status === 'failed'
      ? []
      : [
          {
            label: 'Fail it with a reason',
            method: 'users/setVerification',
            given: { verificationId: id, status: 'failed' },
            begin: { reasons: [{ code: 'unreadable' }] },
          },
        ],
  accounts: ({ id: accountId }) => [
    depositForm({ account: accountId }),
    balanceForm({ account: accountId }),
    convertForm({ accountId }),
    linkForm({ accountId }),
    limitForm({ accountId }),
  ],
  limits: ({ account, record }) => [
    limitForm({
      accountId: account,
      'limits.symbol': textAt(record, 'maximum_amount.symbol'),
      'limits.asset_type': textAt(record, 'maximum_amount.type'),
      'limits.method_id': textAt(record, 'method_id'),
    }),
  ],
  assets: assetForms,
  wallets: ({ record }) => rejectForms(textAt(record, 'address')),
  transfers: ({ id, status }) =>
    status === 'pending' || status === 'processing' ? [failForm('transfers/fail', { transferId: id })] : [],
  conversions: (one) => (one.status === 'pending_deposit' ? [inboundForm(one)] : []),
  conversionRules: (one) => [inboundForm(one)],
  expectedDeposits: (one) => (one.status === 'pending' ? [inboundForm(one)] : []),
};

const ofAccount = ({ account }: Known): Values => ({ accountId: account || undefined });

/** The calls that make a resource of a kind, or change all of them. */
export const KIND_FORMS: Readonly<Record<string, (known: Known) => readonly FormSpec[]>> = {
  users: () => [{ label: 'Add a user', method: 'users/add' }],
  accounts: () => [addAccountForm()],
  onDemandConversions: (known) => [convertForm(ofAccount(known))],
  deposits: (known) => [depositForm(known)],
  bankLinks: (known) => [linkForm(ofAccount(known))],
  limits: (known) => [limitForm(ofAccount(known))],
  wallets: () => rejectForms(),
  onchainQuotes: () => [{ label: 'Set the time of pending', method: 'onchainQuotes/setPendingTime' }],
};
