import type { Decimal } from '../../../schema/decimal.js';
import type { Asset } from '../../core/market/catalogue.js';
import { costUsd, NOTHING } from '../../core/money/ledger.js';
import { post } from '../../core/mutations.js';
import type { AccountState, State } from '../../core/records/state.js';
import { type Movement, noteEntry } from './entries.js';

/** Time in ms for which a conversion is `converting`, if a balance pays, and then `settling`. */
export const CONVERTING_FROM_BALANCE_MS = 30_000;
export const SETTLING_MS = 90_000;

/** The money of a conversion of any operation. */
export interface ConversionMoney {
  readonly from: Asset;
  readonly to: Asset;
  readonly gross: Decimal;
  readonly fromFee: Decimal;
  readonly tradeFee: Decimal;
  readonly toFee: Decimal;
  readonly net: Decimal;
}

/** The settlement of a conversion of any operation. */
export interface Settlement {
  /** The id of the conversion. */
  readonly reference: string;
  readonly money: ConversionMoney;
  /** True if the account's balance pays, and holds `gross` until then. False: the outside pays. */
  readonly fromBalance: boolean;
  /** True if the account's balance receives. Otherwise the outside receives. */
  readonly toBalance: boolean;
}

/** Pays the exchange and the fees from the source. */
export function payIn(state: State, account: AccountState, settlement: Settlement): void {
  const { books } = state;
  const { reference, money } = settlement;
  const { from: asset, gross, fromFee, tradeFee, to, toFee } = money;
  releaseHeld(account, settlement);
  const payer = settlement.fromBalance ? account.holdings : books.outside;
  const fee = fromFee.plus(tradeFee);
  const exchanged = gross.minus(fee);
  // The payout fee is charged at the end, and lowers the proceeds of the source.
  const valueUsd = exchanged.times(asset.usd).minus(toFee.times(to.usd));
  post(state, { asset, amount: exchanged, valueUsd }, payer, books.exchange, reference);
  post(state, { asset, amount: fee, valueUsd: NOTHING }, payer, books.fees, reference);
  note(state, account, settlement, { type: 'simple_order', spend: { asset, total: gross, fee, valueUsd } });
}

/** The exchange pays the destination. */
export function payOut(state: State, account: AccountState, settlement: Settlement): void {
  const { books } = state;
  const { reference, money } = settlement;
  const { from, gross, to: asset, net, toFee } = money;
  post(state, { asset, amount: toFee }, books.exchange, books.fees, reference);
  const recipient = settlement.toBalance ? account.holdings : books.outside;
  const valueUsd = costUsd(from, gross);
  post(state, { asset, amount: net, valueUsd }, books.exchange, recipient, reference);
  note(state, account, settlement, { type: 'simple_order', receive: { asset, total: net, valueUsd } });
}

export function releaseSource(state: State, account: AccountState, settlement: Settlement): void {
  const { from, to, gross, net } = settlement.money;
  releaseHeld(account, settlement);
  note(state, account, settlement, {
    type: 'simple_order_failed',
    status: 'failed',
    spend: { asset: from, total: gross },
    receive: { asset: to, total: net },
  });
}

function releaseHeld(account: AccountState, { fromBalance, money: { from, gross } }: Settlement): void {
  if (fromBalance) account.holdings.release({ asset: from, amount: gross });
}

/** Notes the payments from and to the account's balances. Banks and wallets are outside. */
function note(
  state: State,
  account: AccountState,
  { reference, fromBalance, toBalance }: Settlement,
  { spend, receive, ...movement }: Omit<Movement, 'reference'>,
): void {
  const sides = { spend: fromBalance ? spend : undefined, receive: toBalance ? receive : undefined };
  if (sides.spend ?? sides.receive) noteEntry(state, account, { ...movement, ...sides, reference });
}
