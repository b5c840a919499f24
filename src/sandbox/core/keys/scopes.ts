export const SCOPES = ['read', 'trade', 'funds', 'users', 'webhooks'] as const;

/**
 * A permission of an API key:
 *
 * - `read`: every GET.
 * - `funds`: writes that move money in or out, or between accounts, and addresses, banks and
 *   wallets.
 * - `users`: writes of users and their verifications.
 * - `webhooks`: writes of webhooks.
 * - `trade`: all other writes: quotes, swaps, conversions, earn.
 */
export type ApiKeyScope = (typeof SCOPES)[number];
