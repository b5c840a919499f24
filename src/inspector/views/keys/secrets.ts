import type { SandboxCredentials } from '../../../sandbox/core/keys/api-keys.js';
import type { Live } from '../../wire/live.js';

/**
 * The secrets that this page was told. The sandbox tells them when a key is issued, and not again.
 */
const told = new Map<string, { readonly secret: string; readonly era: number }>();

export function keepSecret({ era }: Live, { apiKey, apiSecret }: SandboxCredentials): void {
  told.set(apiKey, { secret: apiSecret, era });
}

/** After a reset a key with the same name has another secret. */
export function secretOf({ era }: Live, apiKey: string): string | undefined {
  const known = told.get(apiKey);
  return known?.era === era ? known.secret : undefined;
}
