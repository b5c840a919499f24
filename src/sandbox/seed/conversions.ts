import { Decimal } from '../../core/decimal.js';
import type { OnDemandConversion } from '../../resources/accounts/on-demand-conversions.js';
import type { Asset, Catalogue } from '../catalogue.js';
import { type Clock, timestamp } from '../clock.js';
import { type Rate, rateBetween, roundedDown, roundedUp, share } from '../money.js';
import { ALPHABETS, type Random } from '../random.js';
import type { Wire } from '../wire.js';
import { walletAddress } from './addresses.js';

type WireConversion = Wire<OnDemandConversion>;
type WireEndpoint = WireConversion['from'];
type EndpointType = 'balance' | 'wallet' | 'bank';

/** How long a conversion stays in a state, in milliseconds. A linked bank source is funded over days. */
const CONVERTING_MS = { bank: 3 * 24 * 3_600_000, other: 30_000 };
const SETTLING_MS = 90_000;

const TRADE_FEE_BPS = 40;

/** Symbol, type, network. */
const DELIVERED: readonly [Delivery, ...Delivery[]] = [
  ['BTC', 'crypto', 'bitcoin'],
  ['ETH', 'crypto', 'ethereum'],
  ['SOL', 'crypto', 'solana'],
  ['XRP', 'crypto', 'xrp'],
  ['XLM', 'crypto', 'stellar'],
  ['ATOM', 'crypto', 'cosmos'],
  ['USDC', 'stablecoin', 'ethereum'],
  ['USDT', 'stablecoin', 'tron'],
  ['USDC', 'stablecoin', 'polygon'],
];
type Delivery = readonly [symbol: string, type: string, network: string];

interface Plan {
  readonly fromType: EndpointType;
  readonly toType: EndpointType;
  readonly from: Asset;
  readonly to: Asset;
  readonly network: string;
  readonly createdAt: number;
  readonly fails: boolean;
}

/** The conversions of one account, newest first. Those still under way move on by the clock. */
export function seedConversions(count: number, catalogue: Catalogue, random: Random, clock: Clock): WireConversion[] {
  const made: WireConversion[] = [];
  let createdAt = clock.now() - 10_000;
  for (let index = 0; index < count; index += 1) {
    made.push(conversion(plan(index, createdAt, catalogue, random), random, clock));
    // The first few are minutes apart, so that every state is among them.
    createdAt -= index < 2 ? 45_000 : random.integer(20 * 60_000, 9 * 3_600_000);
  }
  return made;
}

function plan(index: number, createdAt: number, catalogue: Catalogue, random: Random): Plan {
  const [symbol, type, network] = random.pick(DELIVERED);
  const asset = catalogue.get(symbol, type);
  const fiat = catalogue.get(random.pick(['USD', 'USD', 'USD', 'EUR', 'GBP']), 'fiat');
  const fails = index > 3 && random.chance(0.06);
  const kind = index < 2 ? 0 : random.integer(0, 9);
  if (kind <= 4) return { fromType: 'balance', toType: 'wallet', from: fiat, to: asset, network, createdAt, fails };
  if (kind <= 7) return { fromType: 'bank', toType: 'balance', from: fiat, to: asset, network, createdAt, fails };
  return { fromType: 'balance', toType: 'bank', from: asset, to: fiat, network, createdAt, fails };
}

function conversion(planned: Plan, random: Random, clock: Clock): WireConversion {
  const { from, to, createdAt } = planned;
  const rate = rateBetween(from, to);
  const sums = amounts(planned, rate, random);
  const made: WireConversion = {
    id: random.uuid(),
    status: 'converting',
    from: endpoint(planned.fromType, from, sums.from, planned.network, random),
    to: endpoint(planned.toType, to, sums.to, planned.network, random),
    rate: { base: { symbol: rate.base.symbol }, quote: { symbol: rate.quote.symbol }, price: rate.price.toFixed() },
    fees: {
      from: { symbol: from.symbol, amount: sums.fromFee.toFixed(from.places) },
      trade: { symbol: from.symbol, amount: sums.tradeFee.toFixed(from.places) },
      to: { symbol: to.symbol, amount: sums.toFee.toFixed(to.places) },
    },
    created_at: timestamp(createdAt),
    updated_at: timestamp(createdAt),
  };
  liveOn(made, planned, random, clock);
  return made;
}

/** to = (from − fees.from − fees.trade) at the rate, rounded down, − fees.to. */
function amounts({ fromType, toType, from, to }: Plan, rate: Rate, random: Random) {
  const usdCents = random.integer(2_000, random.chance(0.1) ? 25_000_000 : 400_000);
  const gross = roundedDown(new Decimal(usdCents).div(100).div(from.usd), from.places);
  const fromFee = fromType === 'bank' ? roundedUp(share(gross, 15), from.places) : new Decimal(0);
  const tradeFee = roundedUp(share(gross, TRADE_FEE_BPS), from.places);
  const converted = roundedDown(rate.convert(gross.minus(fromFee).minus(tradeFee)), to.places);
  const toFee = toType === 'balance' ? new Decimal(0) : roundedUp(new Decimal('0.35').div(to.usd), to.places);
  return { from: gross, fromFee, tradeFee, toFee, to: converted.minus(toFee) };
}

function endpoint(type: EndpointType, asset: Asset, sum: Decimal, network: string, random: Random): WireEndpoint {
  if (type === 'bank') return { type };
  const common = { symbol: asset.symbol, amount: sum.toFixed(asset.places), status: 'pending' };
  if (type === 'balance') return { type, ...common };
  const wallet = { via: network, address: walletAddress(network, random), ...routingMark(network, random) };
  return { type, ...common, wallet };
}

/** Several customers share one address on these networks: a memo or tag tells them apart. */
function routingMark(network: string, random: Random): { memo?: string; tag?: string } {
  if (network === 'xrp') return { tag: String(random.integer(1, 4_294_967_295)) };
  if (network === 'stellar' || network === 'cosmos') return { memo: random.text(10, ALPHABETS.upper) };
  return {};
}

/** Lets the conversion go through its states, at once as far as they are in the past. */
function liveOn(made: WireConversion, { fromType, createdAt, fails }: Plan, random: Random, clock: Clock): void {
  const settlingAt = createdAt + (fromType === 'bank' ? CONVERTING_MS.bank : CONVERTING_MS.other);
  const completedAt = settlingAt + SETTLING_MS;
  // Drawn beforehand: the data must not depend on when the clock is advanced.
  const references = { transaction_id: random.uuid(), blockchain_transaction_id: random.text(64, ALPHABETS.hex) };
  at(clock, settlingAt, () => {
    made.status = fails ? 'failed' : 'settling';
    made.updated_at = timestamp(settlingAt);
    if (!fails) settle(made.from);
  });
  if (fails) return;
  at(clock, completedAt, () => {
    made.status = 'completed';
    made.updated_at = timestamp(completedAt);
    settle(made.to);
    if (made.to.type === 'wallet') made.transaction_references = { to: references };
  });
}

function at(clock: Clock, moment: number, run: () => void): void {
  if (moment <= clock.now()) run();
  else clock.plan(moment, run);
}

function settle(side: WireEndpoint): void {
  if (side.type === 'balance' || side.type === 'wallet') side.status = 'settled';
}
