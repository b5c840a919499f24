import type { AssetFilter } from '../../../resources/accounts/portfolio-transactions.js';

/**
 * Returns a function that is true for the keys of the selected assets: all if there is no filter.
 */
export function selects(filters: readonly AssetFilter[] = []): (key: string) => boolean {
  if (filters.length === 0) return () => true;
  return (key) => {
    const [ofType, ofSymbol] = key.split(':');
    return filters.some(({ symbol = ofSymbol, type = ofType }) => symbol === ofSymbol && type === ofType);
  };
}
