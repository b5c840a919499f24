import * as z from 'zod/mini';
import type { OnDemandConversion } from '../../../resources/accounts/on-demand-conversions.js';
import type { Wire } from '../../../schema/types.js';
import { text } from '../../core/basics/checked.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { accountNamed, amountAboveZero, assetNamed, type NamedAsset, namedAsset } from '../../core/input.js';
import { recordsOf } from '../../core/kind/find.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import { scheduleStep } from '../../core/moves.js';
import { put } from '../../core/mutations.js';
import type { AccountState, State } from '../../core/records/state.js';
import { bankLinks } from '../bank-links.js';
import type { ConversionMoney } from '../shared/settling.js';
import { feesOf } from '../shared/trade-terms.js';
import { wallets } from '../wallets.js';
import { CONVERTING_MS, type ConversionOrder, onDemandConversions, orderConversion } from './on-demand-conversions.js';

/** A conversion to start: bank (fiat) to balance, balance to bank, or balance to wallet. */
export interface ConversionInput {
  /** The source. */
  readonly from: NamedAsset & {
    /** Where the money comes from. */
    readonly type: 'balance' | 'bank';
    /** The amount that the source pays: a decimal string above 0. */
    readonly amount: string;
  };
  /** The destination. */
  readonly to: NamedAsset & {
    /** Where the money goes. */
    readonly type: 'balance' | 'bank' | 'wallet';
    /** `id` of an approved wallet of the account: only with `type: 'wallet'`. */
    readonly wallet_id?: string | undefined;
  };
  /** True if it will end in `failed`. Default false. */
  readonly fails?: boolean | undefined;
}

const destination = z
  .strictObject({ type: z.enum(['balance', 'bank', 'wallet']), ...namedAsset, wallet_id: z.optional(text) })
  .check(
    z.refine(({ type, wallet_id: id }) => type === 'wallet' || id === undefined, {
      path: ['wallet_id'],
      message: 'is only for a wallet',
    }),
  );

export const conversionInput = z
  .strictObject({
    from: z.strictObject({ type: z.enum(['balance', 'bank']), ...namedAsset, amount: amountAboveZero }),
    to: destination,
    fails: z.optional(z.boolean()),
  })
  .check(
    z.refine(
      ({ from, to }) => (from.type === 'bank') === (to.type === 'balance'),
      'must go from a bank to a balance, or from a balance to a bank or wallet',
    ),
  );

const METHOD = 'accounts.convert';

/** Starts a conversion as `converting`. If a balance pays for it, the amount is held. */
export function startConversion(state: State, accountId: string, input: ConversionInput): Wire<OnDemandConversion> {
  const account = accountNamed(state, METHOD, accountId);
  const order = orderOf(state, account, input);
  const { record, money } = orderConversion(order, state.random);
  if (!money.net.gt(0)) throw new TypeError(`${METHOD}: from.amount is too small`);
  if (order.source === 'balance' && !account.holdings.hold({ asset: money.from, amount: money.gross })) {
    throw new Error(`${METHOD}: less than ${excerpt(input.from.amount)} ${excerpt(input.from.symbol)} is available`);
  }
  const { id } = record.conversion;
  const found = { account, id, record: { ...record, money: saved(money) } };
  put(state, onDemandConversions, found);
  scheduleStep(state, 'conversion.settle', found, CONVERTING_MS[order.source]);
  return record.conversion;
}

const saved = ({ from, to, gross, fromFee, tradeFee, toFee, net }: ConversionMoney) => ({
  from: assetKey(from),
  to: assetKey(to),
  gross: gross.toFixed(),
  fromFee: fromFee.toFixed(),
  tradeFee: tradeFee.toFixed(),
  toFee: toFee.toFixed(),
  net: net.toFixed(),
});

function orderOf(state: State, account: AccountState, { from, to, fails }: ConversionInput): ConversionOrder {
  const [source, destination] = [assetNamed(state, METHOD, from), assetNamed(state, METHOD, to)];
  if (source === destination) throw new TypeError(`${METHOD}: from and to are the same asset`);
  const atBank = from.type === 'bank' ? source : to.type === 'bank' ? destination : undefined;
  if (atBank !== undefined && atBank.type !== 'fiat') {
    throw new TypeError(`${METHOD}: a bank account holds fiat money, not ${atBank.symbol}`);
  }
  if (from.type === 'bank') checkLinkedBank(state, account, source);
  return {
    from: source,
    to: destination,
    amount: new Money(from.amount),
    source: from.type,
    destination: destinationOf(account, to),
    createdAt: state.clock.now(),
    sequence: (recordsOf(state, onDemandConversions, account).newest()?.sequence ?? 0) + 1,
    fails: fails ?? false,
    feeBps: feesOf(state).conversions,
  };
}

/** The widget links accounts of US banks only, which hold US dollars. */
function checkLinkedBank(state: State, account: AccountState, { symbol }: Asset): void {
  if (symbol !== 'USD') {
    throw new TypeError(`${METHOD}: linked banks are US banks, whose accounts hold USD, not ${symbol}`);
  }
  const isEligible = [...recordsOf(state, bankLinks, account).values()].some(({ account_links }) =>
    account_links.some(({ status, eligibility_status }) => status === 'active' && eligibility_status === 'eligible'),
  );
  if (isEligible) return;
  throw new Error(`${METHOD}: the account has no linked bank account that is eligible: bankLinks.add links one`);
}

function destinationOf(
  account: AccountState,
  { type, wallet_id: id }: ConversionInput['to'],
): ConversionOrder['destination'] {
  return type === 'wallet' ? { type, wallet: approvedWallet(account, id) } : { type };
}

function approvedWallet({ records }: AccountState, id: string | undefined) {
  const record = id === undefined ? undefined : records.of(wallets).get(id);
  if (record === undefined) throw new TypeError(`${METHOD}: to.wallet_id must be the id of a wallet of the account`);
  const { wallet, memo } = record;
  if (wallet.status !== 'approved') throw new Error(`${METHOD}: the wallet is ${wallet.status}, it must be approved`);
  return { via: wallet.via, address: wallet.address, ...(memo === undefined ? {} : { memo }) };
}
