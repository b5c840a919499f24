import type { Operation } from '../schema/operation.js';

/**
 * The source of an operation: `specified` by the API description, or `documented` in the service's
 * public reference. `partial`: only its path and parts of its shape are known. `assumed`: only an
 * older edition of the API has the operation, at a path without `/v1` (`isAssumed`).
 */
export type Stability = 'specified' | 'documented' | 'partial' | 'assumed';

/** Facts about an operation that the sandbox and the documents show, and that no client needs. */
interface Label {
  /** For example `Get user`. */
  readonly title: string;
  readonly stability: Stability;
}

const specified = (title: string): Label => ({ title, stability: 'specified' });
const documented = (title: string): Label => ({ title, stability: 'documented' });
const partial = (title: string): Label => ({ title, stability: 'partial' });
const assumed = (title: string): Label => ({ title, stability: 'assumed' });

/** By operation name. In its own file, so that no application's bundle contains it. */
const LABELS: Readonly<Record<string, Label>> = {
  'accounts.conversionRules.create': documented('Create conversion rule'),
  'accounts.conversions.create': partial('Create conversion'),
  'accounts.conversions.list': documented('List conversions'),
  'accounts.deposits.create': documented('Create expected deposit'),
  'accounts.earn.auto.allocations.list': documented('List auto earn allocations'),
  'accounts.earn.auto.assets.list': documented('List auto earn assets of an account'),
  'accounts.earn.auto.get': documented('Get auto earn settings'),
  'accounts.earn.auto.rewards.list': documented('List auto earn rewards'),
  'accounts.earn.auto.update': documented('Update auto earn settings'),
  'accounts.onDemandConversions.list': specified('List on-demand conversions'),
  'accounts.onchainQuotes.create': specified('Create on-chain quote'),
  'accounts.onchainQuotes.get': documented('Get on-chain quote'),
  'accounts.onchainQuotes.list': documented('List on-chain quotes'),
  'accounts.portfolio.details': specified('List portfolio details'),
  'accounts.portfolio.history': documented('Get portfolio history'),
  'accounts.portfolio.summary': documented('Get portfolio summary'),
  'accounts.portfolio.transactions.list': partial('List portfolio transactions'),
  'accounts.priceTriggerSwaps.cancel': documented('Cancel price-trigger swap'),
  'accounts.priceTriggerSwaps.create': documented('Create price-trigger swap'),
  'accounts.priceTriggerSwaps.get': documented('Get price-trigger swap'),
  'accounts.priceTriggerSwaps.list': documented('List price-trigger swaps'),
  'accounts.quotes.create': documented('Create quote'),
  'accounts.quotes.execute': documented('Execute quote'),
  'accounts.quotes.get': specified('Get quote'),
  'accounts.transfers.create': partial('Create transfer'),
  'accounts.transfers.list': partial('List transfers'),
  'accounts.wallets.whitelist': specified('Whitelist wallet'),
  'assets.get': documented('Get asset'),
  'assets.list': documented('List assets'),
  'assets.rates.list': documented('List asset rates'),
  'conversions.get': documented('Get conversion'),
  'earn.auto.assets.list': documented('List auto earn assets'),
  'funds.addresses.delete': specified('Delete funding address'),
  'funds.bankLinks.get': specified('Get bank link'),
  'funds.depositAddresses.create': documented('Create deposit address'),
  'funds.depositAddresses.list': documented('List deposit addresses'),
  'funds.depositLimits.list': specified('List deposit limits'),
  'funds.depositMethods.list': documented('List deposit methods'),
  'funds.transactions.list': documented('List funding transactions'),
  'funds.withdrawalAddresses.delete': assumed('Delete withdrawal address'),
  'funds.withdrawalAddresses.list': documented('List withdrawal addresses'),
  'funds.withdrawalAddresses.save': specified('Save withdrawal address'),
  'funds.withdrawalAddresses.update': specified('Update withdrawal address'),
  'funds.withdrawalAddresses.validate': documented('Validate withdrawal address'),
  'funds.withdrawalMethods.list': assumed('List withdrawal methods'),
  'funds.withdrawals.create': documented('Create withdrawal'),
  'ramp.assets.list': assumed('List ramp assets'),
  'ramp.checkout.get': partial('Get ramp checkout'),
  'ramp.countries.list': documented('List ramp countries'),
  'ramp.fiatCurrencies.list': partial('List ramp fiat currencies'),
  'ramp.limits.get': partial('Get ramp limits'),
  'ramp.paymentMethods.list': assumed('List ramp payment methods'),
  'rampQuotes.prospective': specified('Get ramp prospective quote'),
  'reports.settlement.get': documented('Get settlement report'),
  'reports.settlement.list': documented('List settlement reports'),
  'swap.assets.list': partial('List swap assets'),
  'transfers.cancel': partial('Cancel transfer'),
  'transfers.get': partial('Get transfer'),
  'users.assets.list': specified('List user assets'),
  'users.create': partial('Create user'),
  'users.createHeadless': documented('Create headless user'),
  'users.get': specified('Get user'),
  'users.update': documented('Update user'),
  'users.verifications.list': specified('List verifications'),
  'users.verifications.submitUrl': partial('Submit verification by URL'),
  'webhooks.create': partial('Create webhook'),
  'webhooks.delete': documented('Delete webhook'),
  'webhooks.list': specified('List webhooks'),
  'webhooks.test': documented('Test webhook'),
  'webhooks.update': partial('Update webhook'),
};

export function labelOf({ name }: Pick<Operation, 'name'>): Label {
  const label = LABELS[name];
  if (label === undefined) throw new Error(`the operation ${name} has no label in src/resources/labels.ts`);
  return label;
}
