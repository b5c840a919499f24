import { Decimal } from '../../core/decimal.js';
import { type Asset, assetRef, type Catalogue } from '../catalogue.js';
import { timestamp } from '../clock.js';
import { roundedDown } from '../money.js';
import { ALPHABETS, type Random } from '../random.js';
import type { AccountState, SavedAddress } from '../state.js';
import { groupedId, walletAddress } from './addresses.js';
import { DEPOSIT_METHODS } from './assets.js';

const DAY_MS = 24 * 60 * 60 * 1000;

type Funds = Pick<AccountState, 'withdrawalAddresses' | 'fundingAddresses' | 'bankLinks' | 'depositLimits'>;
type WireBankLink = AccountState['bankLinks'] extends ReadonlyMap<string, infer Link> ? Link : never;
type WireDepositLimit =
  AccountState['depositLimits'] extends ReadonlyMap<string, readonly (infer Limit)[]> ? Limit : never;

const BANKS: readonly [string, ...string[]] = ['First Harbor Bank', 'Lakeside Credit Union', 'Meridian National Bank'];

/** What one account has of the funding domain. */
export function seedFunds(catalogue: Catalogue, random: Random, now: number): Funds {
  const links = Array.from({ length: 3 }, (_, index) => seedBankLink(index, random, now));
  return {
    withdrawalAddresses: seedWithdrawalAddresses(random),
    fundingAddresses: new Set(Array.from({ length: 5 }, () => groupedId('AB', random))),
    bankLinks: new Map(links.map((link) => [link.bank_link_id, link])),
    depositLimits: seedDepositLimits(catalogue, random),
  };
}

function seedWithdrawalAddresses(random: Random): Map<string, SavedAddress> {
  return new Map([
    ['cold-storage', { address: walletAddress('bitcoin', random), tag: null }],
    ['treasury xrp', { address: walletAddress('xrp', random), tag: '104729' }],
  ]);
}

/** The first has accounts of every eligibility, the second none that may be used, the third is plain. */
function seedBankLink(index: number, random: Random, now: number): WireBankLink {
  const eligible = {
    ...accountLink(random),
    eligibility_status: 'eligible',
    eligible_rails: index === 0 ? ['ach', 'rtp'] : ['ach'],
  };
  const ineligible = {
    ...accountLink(random),
    eligibility_status: 'ineligible',
    ineligibility_reasons: ['name_mismatch'],
  };
  const unknown = { ...accountLink(random), eligibility_status: 'unknown' };
  return {
    bank_link_id: `bl_${random.text(24, ALPHABETS.alphanumeric)}`,
    method_id: random.uuid(),
    status: 'linked',
    accounts_eligibility_status: index === 1 ? 'ineligible' : 'eligible',
    linked_at: timestamp(now - random.integer(5, 80) * DAY_MS),
    institution: { name: random.pick(BANKS) },
    account_links: [[eligible, ineligible, unknown], [ineligible], [eligible]][index] ?? [],
    not_linked_accounts: index === 0 ? [{ account_last4: lastFour(random), reason: 'missing_identity' }] : [],
  };
}

function accountLink(random: Random) {
  return {
    account_link_id: `al_${random.text(24, ALPHABETS.alphanumeric)}`,
    account_last4: lastFour(random),
    status: 'active',
  };
}

const lastFour = (random: Random): string => String(random.integer(0, 9999)).padStart(4, '0');

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
