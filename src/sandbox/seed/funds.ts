import { Decimal } from '../../schema/decimal.js';
import { BoundedMap } from '../../util/bounded-map.js';
import { type Asset, assetRef, type Catalogue } from '../state/catalogue.js';
import { DAY_MS, timestamp } from '../state/clock.js';
import { roundedDown } from '../state/money.js';
import type { Random } from '../state/random.js';
import { type AccountState, MAX_RECORDS, type SavedAddress } from '../state/state.js';
import { groupedId, walletAddress } from './addresses.js';
import { DEPOSIT_METHODS } from './assets.js';
import { seedBankLink } from './bank-links.js';

type Funds = Pick<AccountState, 'withdrawalAddresses' | 'fundingAddresses' | 'bankLinks' | 'depositLimits'>;
type WireDepositLimit =
  AccountState['depositLimits'] extends ReadonlyMap<string, readonly (infer Limit)[]> ? Limit : never;

export function seedFunds(catalogue: Catalogue, random: Random, now: number): Funds {
  const links = (['mixed', 'ineligible', 'plain'] as const).map((kind) =>
    seedBankLink(kind, random, timestamp(now - random.integer(5, 80) * DAY_MS)),
  );
  return {
    withdrawalAddresses: seedWithdrawalAddresses(random),
    fundingAddresses: new Set(Array.from({ length: 5 }, () => groupedId('AB', random))),
    bankLinks: new Map(links.map((link) => [link.bank_link_id, link])),
    depositLimits: seedDepositLimits(catalogue, random),
  };
}

function seedWithdrawalAddresses(random: Random): BoundedMap<string, SavedAddress> {
  return new BoundedMap(MAX_RECORDS, [
    ['cold-storage', { address: walletAddress('bitcoin', random), tag: null }],
    ['treasury xrp', { address: walletAddress('xrp', random), tag: '104729' }],
  ]);
}

function seedDepositLimits(catalogue: Catalogue, random: Random): Map<string, WireDepositLimit[]> {
  const limits = new Map<string, WireDepositLimit[]>();
  for (const asset of catalogue.assets) {
    const count = DEPOSIT_METHODS[asset.symbol] ?? 0;
    const made = Array.from({ length: count }, () => seedDepositLimit(asset, random));
    limits.set(asset.symbol, [...(limits.get(asset.symbol) ?? []), ...made].sort(byMethod));
  }
  return limits;
}

const byMethod = (a: WireDepositLimit, b: WireDepositLimit): number => (a.method_id < b.method_id ? -1 : 1);

function seedDepositLimit(asset: Asset, random: Random): WireDepositLimit {
  const dollars = (amount: number): Decimal => roundedDown(new Decimal(amount).div(asset.usd), asset.places);
  const perDay = random.integer(10, 500) * 1000;
  const maximum = dollars(perDay);
  const remaining = dollars(random.integer(0, perDay));
  const { symbol, type } = asset;
  return {
    method_id: random.uuid(),
    maximum_amount: { ...assetRef(asset), amount: dollars(perDay / 2).toFixed(asset.places) },
    period_limits: [
      {
        type: 'amount',
        period: 'daily',
        period_seconds: 86_400,
        asset: { symbol, type },
        remaining: remaining.toFixed(asset.places),
        maximum: maximum.toFixed(asset.places),
      },
    ],
  };
}
