/**
 * The members of a record that its table shows, by kind: the path, and a title if it is another.
 */
export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: ['external_reference', 'type', 'accounts', 'created_at'],
  verifications: ['types', 'method', 'updated_at'],
  accounts: ['name', 'external_reference'],
  quotes: ['from', 'to', 'rate.price price', 'expires_at'],
  onchainQuotes: ['from', 'to', 'expires_at'],
  priceTriggerSwaps: ['trade.from from', 'trade.to to', 'when.drops_to drops_to', 'when.rises_to rises_to'],
  onDemandConversions: ['from', 'to', 'created_at'],
  conversions: ['from.asset from', 'to.asset to', 'inbound.via via', 'created_at'],
  conversionRules: ['from.asset from', 'to.asset to', 'current_uses', 'created_at'],
  deposits: ['amount', 'symbol', 'fee', 'address'],
  expectedDeposits: ['asset', 'reference', 'inbound.via via', 'created_at'],
  withdrawals: ['amount', 'symbol', 'fee', 'key', 'address'],
  transfers: ['from.asset from', 'to', 'created_at'],
  wallets: ['via', 'address', 'created_at'],
  bankLinks: ['institution.name institution', 'account_links.length accounts', 'linked_at'],
  withdrawalAddresses: ['key', 'asset', 'address', 'tag', 'memo'],
  earn: ['earns'],
  limits: [
    'maximum_amount',
    'period_limits.0.period period',
    'period_limits.0.remaining remaining',
    'period_limits.0.maximum maximum',
  ],
  assets: [
    'name',
    'usd',
    'status.swap_trading.enabled swaps',
    'status.withdraw.enabled withdrawals',
    'status.deposit.enabled deposits',
  ],
  webhooks: ['url', 'events', 'created_at'],
};
