import type { Decimal } from '../../../schema/decimal.js';
import { type Asset, assetRef, canSwap } from '../../core/market/catalogue.js';
import { costUsd, NOTHING } from '../../core/money/ledger.js';
import {
  dividedUp,
  MAX_AMOUNT_LENGTH,
  Money,
  type Rate,
  rateBetween,
  roundedUp,
  share,
  written,
} from '../../core/money/money.js';
import { post } from '../../core/mutations.js';
import type { AccountState, State } from '../../core/records/state.js';
import { badRequest } from '../../core/request/refusal.js';
import { checkTradeLimits, feesOf } from './trade-terms.js';

interface SideInput {
  readonly symbol: string;
  readonly type: string;
  readonly amount?: string | undefined;
}

/** A priced swap. Amounts are text; the given one is as the caller wrote it. */
export interface Swap {
  readonly from: Asset;
  readonly to: Asset;
  readonly fromAmount: string;
  readonly toAmount: string;
  /** Subtracted from the source before the conversion. */
  readonly fee: Decimal;
  readonly rate: Rate;
}

/** The money that a swap moves. */
type SwapMoney = Pick<Swap, 'from' | 'to' | 'fromAmount' | 'toAmount' | 'fee'>;

/** Maximum that the sandbox chose: a higher fee would leave nothing to convert. */
const MAX_PARTNER_FEE_BPS = 5_000;

export function checkPartnerFee(field: string, bps: number): void {
  if (bps >= 0 && bps <= MAX_PARTNER_FEE_BPS) return;
  throw badRequest({ field, message: `must be from 0 to ${MAX_PARTNER_FEE_BPS}` });
}

/**
 * Prices a swap from the side whose amount is given. The schema has checked that exactly one is.
 * `at` is the path of the two sides in the request, for example `trade.`.
 */
export function priceSwap(state: State, from: SideInput, to: SideInput, partnerFeeBps = 0, at = ''): Swap {
  const fields = [`${at}from.symbol`, `${at}to.symbol`] as const;
  const [source, destination] = assetsToSwap(state, from, to, fields);
  const [side, given = ''] = from.amount === undefined ? ['to', to.amount] : ['from', from.amount];
  const field = `${at}${side}.amount`;
  if (given.length > MAX_AMOUNT_LENGTH) {
    throw badRequest({ field, message: `must have at most ${MAX_AMOUNT_LENGTH} characters` });
  }
  const rate = rateBetween(source, destination);
  const bps = new Money(feesOf(state).quotes).plus(partnerFeeBps);
  const price = side === 'to' ? fromFixedDestination : fromFixedSource;
  const swap = price(source, destination, rate, bps, given);
  const gives = new Money(swap.fromAmount);
  if (!gives.gt(0) || !new Money(swap.toAmount).gt(0))
    throw badRequest({ field, message: 'is too small: both sides must be above 0' });
  checkTradeLimits(state, source, destination, gives, field);
  return swap;
}

/** Returns the assets of a swap. Throws 400, with the fields, for assets that cannot be swapped. */
export function assetsToSwap(
  { catalogue }: State,
  from: Pick<SideInput, 'symbol' | 'type'>,
  to: Pick<SideInput, 'symbol' | 'type'>,
  [fromField, toField]: readonly [from: string, to: string],
): [source: Asset, destination: Asset] {
  const source = catalogue.named(from.symbol, from.type, fromField);
  const destination = catalogue.named(to.symbol, to.type, toField);
  if (source === destination) throw badRequest({ field: toField, message: 'is the same asset as from' });
  if (canSwap(source, destination)) return [source, destination];
  const message = `${to.symbol} cannot be swapped against ${from.symbol} at present`;
  throw badRequest({ field: toField, message });
}

function fromFixedSource(from: Asset, to: Asset, rate: Rate, bps: Decimal, text: string): Swap {
  const amount = new Money(text);
  const fee = roundedUp(share(amount, bps), from.places);
  const received = rate.convert(amount.minus(fee));
  return { from, to, fromAmount: text, toAmount: received.toFixed(to.places), fee, rate };
}

/** Returns the smallest source amount that covers the destination amount and the fee. */
function fromFixedDestination(from: Asset, to: Asset, rate: Rate, bps: Decimal, text: string): Swap {
  const net = rate.invert(new Money(text));
  const amount = dividedUp(net.times(10_000), new Money(10_000).minus(bps), from.places);
  return { from, to, fromAmount: amount.toFixed(from.places), toAmount: text, fee: amount.minus(net), rate };
}

/**
 * Moves the money of a swap: the exchange and the fees receive the source, the exchange pays the
 * destination. Returns both sides for the account's ledger.
 *
 * @param reference The id of the quote or order.
 */
export function moveSwap(state: State, { holdings }: AccountState, swap: SwapMoney, reference: string) {
  const { books } = state;
  const { from, to, fee } = swap;
  const [given, received] = [new Money(swap.fromAmount), new Money(swap.toAmount)];
  const valueUsd = costUsd(from, given);
  post(state, { asset: from, amount: given.minus(fee) }, holdings, books.exchange, reference);
  post(state, { asset: from, amount: fee, valueUsd: NOTHING }, holdings, books.fees, reference);
  post(state, { asset: to, amount: received, valueUsd }, books.exchange, holdings, reference);
  return { spend: { asset: from, total: given, fee }, receive: { asset: to, total: received, valueUsd } };
}

/** Returns the members by which the API shows a swap. */
export const shownSwap = ({ from, to, fromAmount, toAmount, fee, rate }: Swap) => ({
  from: { ...assetRef(from), amount: fromAmount },
  to: { ...assetRef(to), amount: toAmount },
  fees: { trade: { ...assetRef(from), amount: written(fee, from.places) } },
  rate: { base: assetRef(rate.base), quote: assetRef(rate.counter), price: rate.price.toFixed() },
});
