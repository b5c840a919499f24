import type { NamedAssetRef } from '../../../resources/common.js';
import { Decimal } from '../../../schema/decimal.js';
import type { Changes } from '../basics/changes.js';
import type { Random } from '../basics/random.js';
import { type Clock, DAY_MS, timestamp } from '../clock/clock.js';
import type { Task } from '../clock/task.js';
import { ASSET_ROWS, DISABLED, type MarketRow, type MoneyRow } from './asset-rows.js';
import { type Asset, Catalogue, type Market } from './catalogue.js';
import { Price } from './prices.js';

interface Draft {
  readonly type: string;
  readonly row: MoneyRow | MarketRow;
  readonly market: Market | undefined;
}

export function seedCatalogue(random: Random, clock: Clock<Task>, changes: Changes): Catalogue {
  const now = clock.began;
  const { fiat, ...traded } = ASSET_ROWS;
  const drafts = [
    ...fiat.map((row): Draft => ({ type: 'fiat', row, market: undefined })),
    ...Object.entries(traded).flatMap(([type, rows]) =>
      rows.map((row): Draft => ({ type, row, market: marketOf(type, row, random, now) })),
    ),
  ];
  const trending = random.shuffle(drafts.filter(({ market }) => market !== undefined));
  const assets = drafts.map((draft) => {
    const { type, row } = draft;
    const seed = random.fork(`price of ${type} ${row[0]}`).integer(0, 0xffffffff);
    const first = { at: now, usd: new Decimal(row[2]) };
    const price = new Price(clock, seed, volatilityOf(type, row[0]), first);
    return finished(draft, price, trending.indexOf(draft) + 1, random, now);
  });
  return new Catalogue(assets, changes);
}

function marketOf(type: string, row: MarketRow, random: Random, now: number): Market {
  const [, , usd, , , circulating, max] = row;
  const cap = new Decimal(usd).times(circulating);
  const overshoot = type === 'stablecoin' ? random.integer(1001, 1090) : random.integer(1050, 5200);
  return {
    circulating: new Decimal(circulating),
    max: max === undefined ? undefined : new Decimal(max),
    volumeUsd: cap.times(random.integer(40, 1100)).div(10_000),
    athUsd: new Decimal(usd).times(overshoot).div(1000),
    athTimestamp: timestamp(now - random.integer(20, 1600) * DAY_MS - random.integer(0, DAY_MS)),
  };
}

/** Returns how much an asset follows the random walk. US dollars, the unit of prices, do not. */
function volatilityOf(type: string, symbol: string): number {
  if (type === 'fiat') return symbol === 'USD' ? 0 : 0.05;
  return { stablecoin: 0.002, xstock: 0.5 }[type] ?? 1;
}

function finished({ type, row, market }: Draft, price: Price, trending: number, random: Random, now: number): Asset {
  const [symbol, name, , funding, swap] = row;
  const listing: Asset['listing'] = {
    symbol,
    type,
    name,
    status: {
      swap_trading: {
        enabled: canBeNamed(symbol) && !DISABLED.swap.includes(symbol),
        disabled_against: disabledAgainst(type),
      },
      withdraw: { enabled: canBeNamed(symbol) && !DISABLED.withdraw.includes(symbol) },
      deposit: { enabled: !DISABLED.deposit.includes(symbol) },
    },
    logo: {
      width: 128,
      height: 128,
      href: `https://assets.partner.example/logos/${type}/${symbol.toLowerCase()}.png`,
      type: 'image/png',
    },
    decimals: { funding, swap },
    listing_date: timestamp(now - random.integer(60, 3900) * DAY_MS).slice(0, 10),
    ...(market === undefined ? {} : { trending_rank: trending }),
  };
  return {
    symbol,
    type,
    name,
    price,
    places: swap,
    listing,
    market,
    get usd() {
      return price.usd;
    },
  };
}

/** Inputs accept symbols of 3 characters or more, except in the list of deposit limits. */
const canBeNamed = (symbol: string): boolean => symbol.length >= 3;

/** Tokenised stocks cannot be swapped for every fiat currency. An element may have no name. */
function disabledAgainst(type: string): NamedAssetRef[] {
  if (type !== 'xstock') return [];
  return [
    { symbol: 'CAD', type: 'fiat', name: 'Canadian Dollar' },
    { symbol: 'AUD', type: 'fiat', name: 'Australian Dollar' },
  ];
}
