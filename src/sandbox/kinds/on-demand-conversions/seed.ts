import { ALPHABETS, type Random } from '../../core/basics/random.js';
import type { Clock } from '../../core/clock/clock.js';
import type { Task } from '../../core/clock/task.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { worth } from '../../core/money/money.js';
import type { Records } from '../../core/records/records.js';
import { ADDRESS_DRAWS, walletAddress } from '../shared/addresses/generate.js';
import { SETTLING_MS } from '../shared/settling.js';
import { USUAL_FEES } from '../shared/trade-terms.js';
import {
  CONVERTING_MS,
  type ConversionOrder,
  inState,
  type OnDemandConversionRecord,
  ORDER_DRAWS,
  onDemandConversions,
  orderConversion,
  type WireWallet,
} from './on-demand-conversions.js';

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

interface SeededAccount {
  readonly id: string;
  readonly records: Records;
}

/**
 * Registers the conversions of one account: they are made at their first use. The clock moves those
 * under way. Returns the id of the newest.
 *
 * @param assets The assets as they were when the service started.
 */
export function seedConversions(
  { id: account, records }: SeededAccount,
  count: number,
  assets: readonly Asset[],
  random: Random,
  clock: Clock<Task>,
): string | undefined {
  const drafts: Draft[] = [];
  let createdAt = clock.began - 10_000;
  for (let index = 0; index < count; index += 1) {
    const draft = draftOf(index, createdAt, random);
    planSteps(account, draft, clock);
    drafts.push(draft);
    // The newest are minutes apart, so that every state occurs among them.
    createdAt -= index < 2 ? 45_000 : random.integer(20 * 60_000, 9 * 3_600_000);
  }
  // Making them is most of the work of a new sandbox, so they are made at their first use.
  records.begin(onDemandConversions, () => {
    const byKey = new Map(assets.map((asset) => [assetKey(asset), asset]));
    const made = drafts.map((draft, index) => conversionOf(draft, count - index, byKey, clock.began));
    return made.reverse().map((record) => [record.conversion.id, record] as const);
  });
  return drafts[0] && idOf(drafts[0]);
}

/** The values of a conversion that later draws depend on. */
interface Draft {
  readonly payout: Payout;
  /** Symbol of the fiat money. */
  readonly currency: string;
  readonly way: 'balance to wallet' | 'bank to balance' | 'balance to bank';
  readonly usdCents: number;
  readonly createdAt: number;
  readonly fails: boolean;
  /** Draws the address and its memo or tag. */
  readonly wallet: Random;
  /** Draws the ids. */
  readonly ids: Random;
}

function draftOf(index: number, createdAt: number, random: Random): Draft {
  const payout = random.pick(PAYOUTS);
  const currency = random.pick(['USD', 'USD', 'USD', 'EUR', 'GBP']);
  const fails = index > 3 && random.chance(0.06);
  const kind = index < 2 ? 0 : random.integer(0, 9);
  const usdCents = random.integer(2_000, random.chance(0.1) ? 25_000_000 : 400_000);
  const way = kind <= 4 ? 'balance to wallet' : kind <= 7 ? 'bank to balance' : 'balance to bank';
  const wallet = random.later(kind <= 4 ? ADDRESS_DRAWS + MARK_DRAWS[markOn(payout)] : 0);
  return { payout, currency, way, usdCents, createdAt, fails, wallet, ids: random.later(ORDER_DRAWS) };
}

/** Several customers share an address on these networks: a memo or tag distinguishes them. */
function markOn([, , network]: Payout): 'tag' | 'memo' | 'none' {
  if (network === 'xrp') return 'tag';
  return network === 'stellar' || network === 'cosmos' ? 'memo' : 'none';
}

const MEMO_LENGTH = 10;
const MARK_DRAWS = { tag: 1, memo: MEMO_LENGTH, none: 0 } as const;

function walletOf({ payout, wallet: random }: Draft): WireWallet {
  const [, , network] = payout;
  const mark = markOn(payout);
  const wallet = { via: network, address: walletAddress(network, random) };
  if (mark === 'tag') return { ...wallet, tag: String(random.integer(1, 4_294_967_295)) };
  return mark === 'memo' ? { ...wallet, memo: random.text(MEMO_LENGTH, ALPHABETS.upper) } : wallet;
}

/** The id of a conversion is the first of its draws. */
const idOf = ({ ids }: Draft): string => ids.later(0).uuid();

const sourceOf = ({ way }: Draft): 'bank' | 'balance' => (way === 'bank to balance' ? 'bank' : 'balance');

/** Returns when a conversion settles, and when it is completed. */
function timesOf(draft: Draft): [settlingAt: number, completedAt: number] {
  const settlingAt = draft.createdAt + CONVERTING_MS[sourceOf(draft)];
  return [settlingAt, settlingAt + SETTLING_MS];
}

function planSteps(account: string, draft: Draft, clock: Clock<Task>): void {
  const [settlingAt, completedAt] = timesOf(draft);
  const planned = (at: number, step: string) => clock.schedule(at, { kind: 'step', step, id: idOf(draft), account });
  if (settlingAt > clock.began) planned(settlingAt, 'conversion.settle');
  else if (!draft.fails && completedAt > clock.began) planned(completedAt, 'conversion.complete');
}

/** Returns the conversion in its state at the start of the service. */
function conversionOf(
  draft: Draft,
  sequence: number,
  assets: ReadonlyMap<string, Asset>,
  began: number,
): OnDemandConversionRecord {
  const order = { ...orderOf(draft, assets), sequence, feeBps: USUAL_FEES.conversions };
  // The balances of the seed contain the effects of these conversions already.
  const { record } = orderConversion(order, draft.ids);
  const [settlingAt, completedAt] = timesOf(draft);
  if (settlingAt > began) return record;
  if (record.fails) return inState(record, 'failed', settlingAt);
  const settling = inState(record, 'settling', settlingAt);
  return completedAt <= began ? inState(settling, 'completed', completedAt) : settling;
}

function orderOf(draft: Draft, assets: ReadonlyMap<string, Asset>): Omit<ConversionOrder, 'sequence' | 'feeBps'> {
  const { payout, currency, way, usdCents, createdAt, fails } = draft;
  const [symbol, type] = payout;
  const asset = named(assets, `${type}:${symbol}`);
  // Linked banks are US banks.
  const fiat = named(assets, `fiat:${way === 'bank to balance' ? 'USD' : currency}`);
  const [from, to] = way === 'balance to bank' ? [asset, fiat] : [fiat, asset];
  const common = { from, to, amount: worth(usdCents, from), source: sourceOf(draft), createdAt, fails };
  if (way === 'balance to wallet') return { ...common, destination: { type: 'wallet', wallet: walletOf(draft) } };
  return { ...common, destination: { type: way === 'bank to balance' ? 'balance' : 'bank' } };
}

function named(assets: ReadonlyMap<string, Asset>, key: string): Asset {
  const asset = assets.get(key);
  if (asset === undefined) throw new Error(`the seed has no ${key}`);
  return asset;
}
