/**
 * The operations that take an idempotency key. `idempotencyKeyFor` accepts no other name, and a
 * bundle that derives keys has this list without the schemas of the operations. `defineOperation`
 * makes the compiler compare it with the definitions.
 */
export const KEYED_OPERATIONS = [
  'accounts.conversionRules.create',
  'accounts.conversions.create',
  'accounts.deposits.create',
  'accounts.transfers.create',
  'accounts.quotes.create',
  'accounts.quotes.execute',
  'accounts.priceTriggerSwaps.create',
  'accounts.priceTriggerSwaps.cancel',
  'accounts.wallets.whitelist',
  'funds.withdrawalAddresses.save',
  'funds.withdrawalAddresses.update',
  'funds.withdrawalAddresses.validate',
  'funds.depositAddresses.create',
  'funds.withdrawals.create',
  'webhooks.create',
  'webhooks.update',
  'webhooks.test',
] as const;

export type KeyedOperation = (typeof KEYED_OPERATIONS)[number];
