import type { OnDemandConversion } from '../../../resources/accounts/on-demand-conversions.js';
import type { Wire } from '../../../schema/types.js';
import { ALPHABETS, type Random } from '../../core/basics/random.js';
import type { Clock } from '../../core/clock/clock.js';
import type { Task } from '../../core/clock/task.js';
import type { Catalogue } from '../../core/market/catalogue.js';
import { worth } from '../../core/money/money.js';
import type { Records } from '../../core/records/records.js';
import { walletAddress } from '../shared/addresses/made-up.js';
import { SETTLING_MS } from '../shared/settling.js';
import { USUAL_FEES } from '../shared/trade-terms.js';
import { CONVERTING_MS, inState, type OnDemandConversionRecord, onDemandConversions } from './on-demand-conversions.js';
import { type ConversionOrder, orderConversion } from './order.js';

type WireEndpoint = Wire<OnDemandConversion>['from'];
type WireWallet = Extract<WireEndpoint, { type: 'wallet' }>['wallet'];

type Payout = readonly [symbol: string, type: string, network: string];
const PAYOUTS: readonly [Payout, ...Payout[]] = [
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

/** The account whose conversions the seed makes. */
interface SeededAccount {
  readonly id: string;
  readonly records: Records;
}

/** Makes the conversions of one account. The clock moves those under way. */
export function seedConversions(
  { id: account, records }: SeededAccount,
  count: number,
  catalogue: Catalogue,
  random: Random,
  clock: Clock<Task>,
): void {
  const made: OnDemandConversionRecord[] = [];
  let createdAt = clock.began - 10_000;
  for (let index = 0; index < count; index += 1) {
    const order = seedOrder(index, createdAt, catalogue, random);
    // The balances of the seed include what they move.
    const ordered = orderConversion(
      { ...order, sequence: count - index, feeBps: USUAL_FEES.conversions },
      random,
    ).record;
    made.push(livedOn(account, ordered, order, clock));
    // The first few are minutes apart, so every state is among them.
    createdAt -= index < 2 ? 45_000 : random.integer(20 * 60_000, 9 * 3_600_000);
  }
  const kept = records.of(onDemandConversions);
  for (const record of made.reverse()) kept.set(record.conversion.id, record);
}

type Draft = Omit<ConversionOrder, 'sequence' | 'feeBps'>;

function seedOrder(index: number, createdAt: number, catalogue: Catalogue, random: Random): Draft {
  const [symbol, type, network] = random.pick(PAYOUTS);
  const asset = catalogue.get(symbol, type);
  const currency = random.pick(['USD', 'USD', 'USD', 'EUR', 'GBP']);
  const fails = index > 3 && random.chance(0.06);
  const kind = index < 2 ? 0 : random.integer(0, 9);
  // Linked banks are US banks.
  const isFromBank = kind > 4 && kind <= 7;
  const fiat = catalogue.get(isFromBank ? 'USD' : currency, 'fiat');
  const usdCents = random.integer(2_000, random.chance(0.1) ? 25_000_000 : 400_000);
  const from = kind <= 7 ? fiat : asset;
  const amount = worth(usdCents, from);
  const common = { from, to: kind <= 7 ? asset : fiat, amount, createdAt, fails };
  if (kind <= 4) {
    const wallet = { via: network, address: walletAddress(network, random), ...routingMark(network, random) };
    return { ...common, source: 'balance', destination: { type: 'wallet', wallet } };
  }
  if (isFromBank) return { ...common, source: 'bank', destination: { type: 'balance' } };
  return { ...common, source: 'balance', destination: { type: 'bank' } };
}

/** Several customers share one address on these networks: a memo or tag distinguishes them. */
function routingMark(network: string, random: Random): Pick<WireWallet, 'memo' | 'tag'> {
  if (network === 'xrp') return { tag: String(random.integer(1, 4_294_967_295)) };
  if (network === 'stellar' || network === 'cosmos') return { memo: random.text(10, ALPHABETS.upper) };
  return {};
}

/** Returns the conversion in the state that it has reached by now, and plans its next step. */
function livedOn(
  account: string,
  record: OnDemandConversionRecord,
  { source, createdAt }: Draft,
  clock: Clock<Task>,
): OnDemandConversionRecord {
  const { id } = record.conversion;
  const settlingAt = createdAt + CONVERTING_MS[source];
  const completedAt = settlingAt + SETTLING_MS;
  const planned = (at: number, step: string) => clock.plan(at, { kind: 'step', step, id, account });
  if (settlingAt > clock.began) {
    planned(settlingAt, 'conversion.settle');
    return record;
  }
  if (record.fails) return inState(record, 'failed', settlingAt);
  const settling = inState(record, 'settling', settlingAt);
  if (completedAt <= clock.began) return inState(settling, 'completed', completedAt);
  planned(completedAt, 'conversion.complete');
  return settling;
}
