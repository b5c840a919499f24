import { Decimal } from '../../schema/decimal.js';
import { type Asset, Catalogue, type Market } from '../state/catalogue.js';
import { DAY_MS, timestamp } from '../state/clock.js';
import type { Random } from '../state/random.js';
import { ASSET_ROWS, DISABLED, type MarketRow, type MoneyRow } from './assets.js';

type Row = MoneyRow | MarketRow;

interface Draft {
  readonly type: string;
  readonly row: Row;
  readonly market: Market | undefined;
}

export function seedCatalogue(random: Random, now: number): Catalogue {
  const { fiat, ...traded } = ASSET_ROWS;
  const drafts = [
    ...fiat.map((row): Draft => ({ type: 'fiat', row, market: undefined })),
    ...Object.entries(traded).flatMap(([type, rows]) => withMarket(type, rows, random, now)),
  ];
  const ranked = drafts.filter(({ market }) => market !== undefined);
  const byCap = [...ranked].sort((a, b) => marketCapUsd(b).cmp(marketCapUsd(a)));
  const trending = random.shuffle(ranked);
  const assets = drafts.map((draft) => {
    const ranks = { market_cap_rank: byCap.indexOf(draft) + 1, trending_rank: trending.indexOf(draft) + 1 };
    return finished(draft, ranks, random, now);
  });
  return new Catalogue(assets);
}

function withMarket(type: string, rows: readonly MarketRow[], random: Random, now: number): Draft[] {
  return rows.map((row) => ({ type, row, market: marketOf(type, row, random, now) }));
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

function marketCapUsd({ row, market }: Draft): Decimal {
  return market === undefined ? new Decimal(0) : market.circulating.times(row[2]);
}

function finished({ type, row, market }: Draft, ranks: Ranks, random: Random, now: number): Asset {
  const [symbol, name, usd, funding, swap] = row;
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
    ...(market === undefined ? {} : { ...ranks, price_change_percent: priceChanges(type, random) }),
  };
  return { symbol, type, name, usd: new Decimal(usd), places: swap, listing, market };
}

/** Inputs take symbols of 3 characters or more, except the list of deposit limits. */
const canBeNamed = (symbol: string): boolean => symbol.length >= 3;

interface Ranks {
  readonly market_cap_rank: number;
  readonly trending_rank: number;
}

/** Tokenised stocks are not swapped against every fiat currency. An element may lack its name. */
function disabledAgainst(type: string): { symbol: string; type: string; name?: string }[] {
  if (type !== 'xstock') return [];
  return [
    { symbol: 'CAD', type: 'fiat', name: 'Canadian Dollar' },
    { symbol: 'AUD', type: 'fiat' },
  ];
}

function priceChanges(type: string, random: Random) {
  const calm = type === 'stablecoin' ? 100 : 1;
  const percent = (reach: number): string => (random.integer(-reach, reach) / 100 / calm).toFixed(4);
  return {
    last_1h: percent(150),
    last_24h: percent(700),
    last_7d: percent(1800),
    last_30d: percent(4000),
    last_1y: percent(9000),
  };
}
