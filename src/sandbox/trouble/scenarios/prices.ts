import * as z from 'zod/mini';
import { Decimal } from '../../../schema/decimal.js';
import { rule } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { type Asset, assetKey, type Catalogue } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import { amountText, knownAsset, milliseconds } from '../../core/records/saved-values.js';
import { makeReached } from '../../kinds/price-trigger-swaps.js';
import { listOfTexts, METHOD, type ScenarioKind } from './scenario.js';

/** Classes of assets whose prices do not drop by default. */
const STABLE_TYPES: readonly string[] = ['fiat', 'stablecoin'];

/** The price of an asset before and after the drop, and the time of its price mark. */
const droppedPrice = z.object({ asset: knownAsset, at: milliseconds, before: amountText, after: amountText });

const saved = z.object({ prices: z.array(droppedPrice) });

type DroppedPrice = z.output<typeof droppedPrice>;

export const priceDrop: ScenarioKind<z.output<typeof saved>> = {
  summary:
    'Prices fall by a percentage. Quotes, portfolio and profit show it at once. When it stops, prices are restored, except those that were set meanwhile.',
  options: {
    percent: {
      rule: rule((value) => typeof value === 'number' && value > 0 && value < 100, 'must be above 0, below 100'),
      text: 'Per cent by which they fall; by default 20.',
    },
    symbols: { rule: listOfTexts('a list of texts'), text: 'Tickers; by default all but fiat money and stablecoins.' },
  },
  saved,
  start({ state }, { percent = 20, symbols }) {
    const share = new Money(100).minus(percent).times('0.01');
    const prices = assetsOf(state.catalogue, symbols).map((asset) => drop(state.catalogue, asset, share));
    makeReached(state);
    return { prices };
  },
  stop({ state }, { prices }) {
    for (const price of prices) restore(state.catalogue, price);
    makeReached(state);
  },
};

function drop(catalogue: Catalogue, asset: Asset, share: Decimal): DroppedPrice {
  const before = asset.usd;
  const after = before.times(share);
  catalogue.setPrice(asset, after);
  // The time of the mark, since a running clock may have moved on.
  const { at } = asset.price.latest;
  return { asset: assetKey(asset), at, before: before.toFixed(), after: after.toFixed() };
}

/** Restores a price, unless it was set since the drop. */
function restore(catalogue: Catalogue, { asset: key, at, before, after }: DroppedPrice): void {
  const asset = catalogue.keyed(key);
  const { latest } = asset.price;
  if (latest.at === at && latest.usd.eq(after)) catalogue.setPrice(asset, new Decimal(before));
}

function assetsOf({ assets }: Catalogue, symbols: readonly string[] | undefined): readonly Asset[] {
  if (symbols === undefined) return assets.filter(({ type }) => !STABLE_TYPES.includes(type));
  const found = symbols.flatMap((symbol) => {
    const named = assets.filter((asset) => asset.symbol === symbol && asset.type !== 'fiat');
    if (named.length === 0) throw new TypeError(`${METHOD}: there is no asset ${excerpt(symbol)} whose price can fall`);
    return named;
  });
  return [...new Set(found)];
}
