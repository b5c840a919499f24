import type { AssetFilter } from '../../../resources/accounts/portfolio-transactions.js';

/** Returns a function that tells if the filters select an asset: all if there are none. */
export function selects(filters: readonly AssetFilter[] = []): (key: string) => boolean {
  if (filters.length === 0) return () => true;
  return (key) => {
    const [ofType, ofSymbol] = key.split(':');
    return filters.some(({ symbol = ofSymbol, type = ofType }) => symbol === ofSymbol && type === ofType);
  };
}
