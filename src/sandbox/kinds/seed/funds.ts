import { BoundedMap } from '../../../util/bounded-map.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { DEPOSIT_METHODS } from '../../core/market/asset-rows.js';
import { type Asset, assetKey, assetRef, type Catalogue } from '../../core/market/catalogue.js';
import { worth } from '../../core/money/money.js';
import type { Random } from '../../core/random.js';
import { type AccountState, MAX_RECORDS, type SavedAddress } from '../../core/records/state.js';
import { groupedId, walletAddress } from '../shared/addresses/made-up.js';
import { networksOf } from '../shared/addresses/networks.js';
import { seedBankLink } from './bank-links.js';

type Funds = Pick<AccountState, 'withdrawalAddresses' | 'fundingAddresses' | 'bankLinks'>;
const ADDRESS_AGE_DAYS = 40;

type WireDepositLimit =
  AccountState['depositLimits'] extends ReadonlyMap<string, readonly (infer Limit)[]> ? Limit : never;

/** `method`: that of the saved withdrawal addresses. */
export function seedFunds(random: Random, now: number, method: string): Funds {
  const links = (['mixed', 'ineligible', 'plain'] as const).map((kind) =>
    seedBankLink(kind, random, timestamp(now - random.integer(5, 80) * DAY_MS)),
  );
  return {
    withdrawalAddresses: seedWithdrawalAddresses(random, timestamp(now - ADDRESS_AGE_DAYS * DAY_MS), method),
    fundingAddresses: new Set(Array.from({ length: 5 }, () => groupedId('AB', random))),
    bankLinks: new Map(links.map((link) => [link.bank_link_id, link])),
  };
}

function seedWithdrawalAddresses(random: Random, created_at: string, method: string): BoundedMap<string, SavedAddress> {
  const [btc, xrp] = [walletAddress('bitcoin', random), walletAddress('xrp', random)];
  return new BoundedMap<string, SavedAddress>(MAX_RECORDS, [
    ['cold-storage', { address: btc, tag: null, sequence: -2, memo: null, asset: 'crypto:BTC', method, created_at }],
    [
      'treasury xrp',
      { address: xrp, tag: '104729', sequence: -1, memo: null, asset: 'crypto:XRP', method, created_at },
    ],
  ]);
}

/** The limits of a new account, untouched: one method for each asset that has methods. */
export function newDepositLimits(catalogue: Catalogue, random: Random): Map<string, WireDepositLimit[]> {
  const limits = seedDepositLimits(catalogue.assets, random, 1);
  for (const limit of [...limits.values()].flat()) {
    for (const period of limit.period_limits) period.remaining = period.maximum;
  }
  return limits;
}

/** `most`: methods of one asset. */
export function seedDepositLimits(
  assets: readonly Asset[],
  random: Random,
  most: number = Number.POSITIVE_INFINITY,
): Map<string, WireDepositLimit[]> {
  const limits = new Map<string, WireDepositLimit[]>();
  for (const asset of assets) {
    const [count, stream] = methodCount(asset, random);
    const made = Array.from({ length: Math.min(count, most) }, () => seedDepositLimit(asset, stream));
    limits.set(asset.symbol, [...(limits.get(asset.symbol) ?? []), ...made].sort(byMethod));
  }
  return limits;
}

/** An asset that the table does not name has one method for each network it moves on. */
function methodCount(asset: Asset, random: Random): [count: number, random: Random] {
  const { symbol, type, listing } = asset;
  const count = DEPOSIT_METHODS[symbol];
  if (count !== undefined) return [count, random];
  const isTaken = listing.status.deposit.enabled && (type === 'crypto' || type === 'stablecoin');
  return [isTaken ? networksOf(asset).length : 0, random.fork(`deposit methods ${assetKey(asset)}`)];
}

const byMethod = (a: WireDepositLimit, b: WireDepositLimit): number => (a.method_id < b.method_id ? -1 : 1);

function seedDepositLimit(asset: Asset, random: Random): WireDepositLimit {
  const dollars = (amount: number): string => worth(amount * 100, asset).toFixed(asset.places);
  const perDay = random.integer(10, 500) * 1000;
  const left = random.integer(0, perDay);
  const { symbol, type } = asset;
  return {
    method_id: random.uuid(),
    maximum_amount: { ...assetRef(asset), amount: dollars(perDay / 2) },
    period_limits: [
      {
        type: 'amount',
        period: 'daily',
        period_seconds: 86_400,
        asset: { symbol, type },
        remaining: dollars(left),
        maximum: dollars(perDay),
      },
    ],
  };
}
