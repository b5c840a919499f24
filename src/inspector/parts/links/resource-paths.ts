import { decoded } from '../../wire/address.js';

/** The segments of the API's paths that a resource's id follows, and the kind of the resource. */
const KINDS: Readonly<Record<string, string>> = {
  users: 'users',
  accounts: 'accounts',
  quotes: 'quotes',
  'onchain-quotes': 'onchainQuotes',
  'price-trigger-swaps': 'priceTriggerSwaps',
  conversions: 'conversions',
  transfers: 'transfers',
  'bank-links': 'bankLinks',
  webhooks: 'webhooks',
};

/** A resource as the sandbox names it. */
interface ResourceName {
  /** For example `quotes`. */
  readonly kind: string;
  readonly id: string;
}

/** Returns the resources that a path names: `/v1/accounts/AA3/quotes/5f0c` names two. */
export function resourcesIn(path: string): ResourceName[] {
  const segments = (path.split('?', 1)[0] ?? '').split('/');
  return segments.flatMap((segment, index) => {
    const [kind, id] = [Object.hasOwn(KINDS, segment) ? KINDS[segment] : undefined, segments[index + 1]];
    return kind === undefined || id === undefined || id === '' ? [] : [{ kind, id: decoded(id) }];
  });
}
