import type { OnDemandConversion } from '../../resources/accounts/on-demand-conversions.js';
import type { Wire } from '../../schema/types.js';
import type { Asset } from '../state/catalogue.js';
import { timestamp } from '../state/clock.js';
import { costUsd, NOTHING, transfer } from '../state/ledger.js';
import { Money } from '../state/money.js';
import type { AccountState, ConversionMoney, ConversionRecord, State, Task } from '../state/state.js';
import { type ConversionOrder, orderConversion } from './conversion-order.js';
import { assetNamed, type NamedAsset } from './named.js';

/** How long a conversion stays in a state, in milliseconds. A linked bank source is funded over days. */
export const CONVERTING_MS = { bank: 3 * 24 * 3_600_000, balance: 30_000 } as const;
export const SETTLING_MS = 90_000;

/** A conversion to come: between banks, which hold fiat money, and balances, or from balances to wallets. */
export interface ConversionInput {
  readonly from: NamedAsset & {
    readonly type: 'balance' | 'bank';
    /** Decimal text above 0: what is taken from the source. */
    readonly amount: string;
  };
  readonly to: NamedAsset & {
    readonly type: 'balance' | 'bank' | 'wallet';
    /** `id` of an approved wallet of the account: with `type: 'wallet'` alone. */
    readonly wallet_id?: string | undefined;
  };
  /** It will end in `failed`. Default false. */
  readonly fails?: boolean | undefined;
}

type ConversionTask = Extract<Task, { conversion: string }>;

/** Starts a conversion: `converting`. A balance that pays for it is laid claim to. */
export function startConversion(state: State, account: AccountState, input: ConversionInput): Wire<OnDemandConversion> {
  const order = checkedOrder(state, account, input);
  const record = orderConversion(order, state.random);
  const { conversion, money } = record;
  if (!money.net.gt(0)) throw new TypeError('convert: from.amount is too small');
  if (order.source === 'balance' && !account.holdings.hold({ asset: money.from, amount: money.gross })) {
    throw new Error(`convert: less than ${input.from.amount} ${input.from.symbol} is available`);
  }
  account.conversions.set(conversion.id, record);
  const task = { kind: 'conversion.settle', account: account.id, conversion: conversion.id } as const;
  state.clock.plan(order.createdAt + CONVERTING_MS[order.source], task);
  return conversion;
}

function checkedOrder(state: State, account: AccountState, { from, to, fails }: ConversionInput): ConversionOrder {
  const [source, destination] = [assetNamed(state, 'convert', from), assetNamed(state, 'convert', to)];
  if (source === destination) throw new TypeError('convert: from and to are the same asset');
  if ((from.type === 'bank') === (to.type !== 'balance')) {
    throw new TypeError('convert: from a bank to a balance, or from a balance to a bank or wallet');
  }
  const atBank = from.type === 'bank' ? source : to.type === 'bank' ? destination : undefined;
  if (atBank !== undefined && atBank.type !== 'fiat') {
    throw new TypeError(`convert: a bank account holds fiat money, not ${atBank.symbol}`);
  }
  if (from.type === 'bank') checkLinkedBank(account, source);
  return {
    from: source,
    to: destination,
    amount: new Money(from.amount),
    source: from.type,
    destination: placeOf(account, to),
    createdAt: state.clock.now(),
    sequence: account.conversions.size + 1,
    fails: fails ?? false,
  };
}

/** What the widget links are accounts of US banks, which hold US dollars. */
function checkLinkedBank({ bankLinks }: AccountState, { symbol }: Asset): void {
  if (symbol !== 'USD') {
    throw new TypeError(`convert: linked banks are US banks, whose accounts hold USD, not ${symbol}`);
  }
  const isEligible = [...bankLinks.values()].some(({ account_links }) =>
    account_links.some(({ status, eligibility_status }) => status === 'active' && eligibility_status === 'eligible'),
  );
  if (isEligible) return;
  throw new Error('convert: the account has no linked bank account that is eligible: linkBank links one');
}

function placeOf(
  account: AccountState,
  { type, wallet_id: id }: ConversionInput['to'],
): ConversionOrder['destination'] {
  if (type === 'wallet') return { type, wallet: approvedWallet(account, id) };
  if (id !== undefined) throw new TypeError('convert: to.wallet_id is for a wallet alone');
  return { type };
}

/** Returns the wallet if it is approved: only then can a conversion pay to it. */
function approvedWallet({ wallets }: AccountState, id: string | undefined) {
  const record = id === undefined ? undefined : wallets.get(id);
  if (record === undefined) throw new TypeError('convert: to.wallet_id must be the id of a wallet of the account');
  const { wallet, memo } = record;
  if (wallet.status !== 'approved') throw new Error(`convert: the wallet is ${wallet.status}, it must be approved`);
  return { via: wallet.via, address: wallet.address, ...(memo === undefined ? {} : { memo }) };
}

/** `converting → settling | failed`. */
export function settleConversion(state: State, task: ConversionTask): void {
  const [account, record] = find(state, task);
  if (account === undefined || record === undefined) return;
  const { conversion, money, fails } = record;
  settleRecord(record, state.clock.now());
  if (money !== undefined) moveIn(state, account, record, money);
  if (fails) state.webhooks.emit('conversion.quote_execution_failed', conversion);
  else state.clock.plan(state.clock.now() + SETTLING_MS, { ...task, kind: 'conversion.complete' });
}

/** `settling → completed`. */
export function completeConversion(state: State, task: ConversionTask): void {
  const [account, record] = find(state, task);
  if (account === undefined || record === undefined) return;
  const { conversion, money } = record;
  completeRecord(record, state.clock.now());
  if (money !== undefined) moveOut(state, account, record, money);
  if (conversion.to.type !== 'balance') state.webhooks.emit('conversion.withdrawal_completed', conversion);
}

/** What the states of a conversion look like, also of one that went through them before the sandbox began. */
export function settleRecord({ conversion, fails }: ConversionRecord, at: number): void {
  conversion.status = fails ? 'failed' : 'settling';
  conversion.updated_at = timestamp(at);
  if (!fails) settleEndpoint(conversion.from);
}

export function completeRecord({ conversion, references }: ConversionRecord, at: number): void {
  conversion.status = 'completed';
  conversion.updated_at = timestamp(at);
  settleEndpoint(conversion.to);
  if (conversion.to.type === 'wallet') conversion.transaction_references = { to: references };
}

function settleEndpoint(side: Wire<OnDemandConversion>['from']): void {
  if (side.type === 'balance' || side.type === 'wallet') side.status = 'settled';
}

/** The source pays the exchange and the fees, unless the conversion fails: then the claim is given up. */
function moveIn(
  { books }: State,
  { holdings }: AccountState,
  { conversion, fails }: ConversionRecord,
  money: ConversionMoney,
): void {
  const { from: asset, gross, fromFee, tradeFee } = money;
  const fees = fromFee.plus(tradeFee);
  const isBalance = conversion.from.type === 'balance';
  if (isBalance) holdings.release({ asset, amount: gross });
  if (fails) return;
  const payer = isBalance ? holdings : books.outside;
  const exchanged = gross.minus(fees);
  // What is taken at the end, for the payout, lessens what the source brings in.
  const valueUsd = exchanged.times(asset.usd).minus(money.toFee.times(money.to.usd));
  transfer({ asset, amount: exchanged, valueUsd }, payer, books.exchange);
  transfer({ asset, amount: fees, valueUsd: NOTHING }, payer, books.fees);
}

function moveOut(
  { books }: State,
  { holdings }: AccountState,
  { conversion }: ConversionRecord,
  money: ConversionMoney,
): void {
  const { from, gross, to: asset, net, toFee } = money;
  transfer({ asset, amount: toFee }, books.exchange, books.fees);
  const recipient = conversion.to.type === 'balance' ? holdings : books.outside;
  transfer({ asset, amount: net, valueUsd: costUsd(from, gross) }, books.exchange, recipient);
}

function find({ accounts }: State, task: ConversionTask): [AccountState | undefined, ConversionRecord | undefined] {
  const account = accounts.get(task.account);
  return [account, account?.conversions.get(task.conversion)];
}
