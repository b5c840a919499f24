/** Every kind of resources, by name. Apart, as the command needs the names alone. */
export const RESOURCE_KINDS = [
  ...['users', 'verifications', 'accounts', 'quotes', 'onchainQuotes', 'priceTriggerSwaps', 'onDemandConversions'],
  ...['conversions', 'conversionRules', 'deposits', 'expectedDeposits', 'withdrawals', 'transfers', 'wallets'],
  ...['bankLinks', 'withdrawalAddresses', 'fundingAddresses', 'earn', 'limits', 'assets', 'webhooks'],
] as const;
