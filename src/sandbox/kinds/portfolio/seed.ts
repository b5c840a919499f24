import { Decimal } from '../../../schema/decimal.js';
import type { Random } from '../../core/basics/random.js';
import type { Catalogue } from '../../core/market/catalogue.js';
import { Holdings } from '../../core/money/ledger.js';
import { share, worth } from '../../core/money/money.js';

const HELD: readonly (readonly [symbol: string, type: string])[] = [
  ['BTC', 'crypto'],
  ['ETH', 'crypto'],
  ['SOL', 'crypto'],
  ['SHIB', 'crypto'],
  ['USDC', 'stablecoin'],
  ['AAPLx', 'xstock'],
  ['USD', 'fiat'],
  ['EUR', 'fiat'],
];

export function seedHoldings(account: string, catalogue: Catalogue, random: Random): Holdings {
  const holdings = HELD.map(([symbol, type]) => {
    const asset = catalogue.get(symbol, type);
    const total = worth(random.integer(1_000_000, 9_000_000), asset);
    return {
      asset,
      total,
      held: new Decimal(0),
      entryUsd: share(asset.usd, random.integer(6_000, 12_500)),
      realizedUsd: new Decimal(random.integer(-90_000, 250_000)).div(100),
    };
  });
  return new Holdings(account, holdings);
}
