import type { Inbound } from '../../../resources/accounts/deposits.js';
import type {
  Conversion,
  ConversionCreateBody,
  ConversionDestination,
  ConversionSource,
} from '../../../resources/conversions.js';
import type { Wire } from '../../../schema/types.js';
import type { Found } from '../../core/kind/kind.js';
import { type Asset, assetKey, type WireAssetRef } from '../../core/market/catalogue.js';
import { NOTHING } from '../../core/money/ledger.js';
import { Money } from '../../core/money/money.js';
import type { AccountState, State } from '../../core/records/state.js';
import { badRequest } from '../../core/request/refusal.js';
import { offeredQuote, type QuoteRecord } from '../quotes.js';
import { positive } from '../shared/amounts.js';
import type { Settlement } from '../shared/settling.js';
import { assetsToSwap } from '../shared/swaps.js';
import { wallets } from '../wallets.js';

/** A source or destination as the service shows it, with the type that the sandbox always sets. */
export type Typed<Place extends { type?: string | undefined }> = Wire<Place> & { readonly type: string };

/** A conversion to start. */
export interface ConversionStart {
  readonly from: Asset;
  readonly to: Asset;
  readonly source: Typed<ConversionSource>;
  readonly destination: Typed<ConversionDestination>;
  /** The expected amount. Default: any amount that arrives. */
  readonly amount?: string | undefined;
  readonly inbound?: Wire<Inbound> | undefined;
  readonly quote?: Found<QuoteRecord> | undefined;
  readonly more?: Pick<Wire<Conversion>, 'transaction_id' | 'conversion_rule_id'>;
}

/** Type of a source or destination that is the account's own balance. */
export const BALANCE = 'balance';

/** Throws 400 for assets that cannot be converted, or the error of a quote that does not fit. */
export function startOf(state: State, account: AccountState, body: Wire<ConversionCreateBody>): ConversionStart {
  const { swap_quote_id: quoteId, transaction_id } = body;
  const quote = quoteId === undefined ? undefined : offeredQuote(state, account, quoteId, 'swap_quote_id');
  const [from, to] = assetsOf(state, body, quote?.record);
  const amount = amountOf(body, quote?.record);
  const destination = destinationOf(account, body.to?.destination);
  const more = transaction_id === undefined ? {} : { transaction_id };
  return { from, to, source: sourceOf(body.from?.source), destination, quote, amount, more };
}

function assetsOf(state: State, { from, to }: Wire<ConversionCreateBody>, quote: QuoteRecord | undefined) {
  const [source, destination] = [from?.asset ?? quote?.quote.from, to?.asset ?? quote?.quote.to];
  if (source === undefined || destination === undefined) {
    const field = source === undefined ? 'from.asset' : 'to.asset';
    throw badRequest({ field, message: 'is needed without a swap_quote_id' });
  }
  const fields = ['from.asset.symbol', 'to.asset.symbol'] as const;
  const assets = assetsToSwap(state, source, destination, fields);
  const isOther = (asset: Asset, side: 'from' | 'to') => quote && assetKey(asset) !== assetKey(quote.quote[side]);
  if (isOther(assets[0], 'from') || isOther(assets[1], 'to')) {
    throw badRequest({ field: 'swap_quote_id', message: 'is a quote for other assets' });
  }
  return assets;
}

function amountOf({ from }: Wire<ConversionCreateBody>, quote: QuoteRecord | undefined): string | undefined {
  const given = from?.asset?.amount;
  const quoted = quote?.quote.from.amount;
  const field = 'from.asset.amount';
  if (given === undefined) return quoted;
  const amount = positive(given, field);
  if (quoted !== undefined && !amount.eq(quoted)) throw badRequest({ field, message: 'is not that of the quote' });
  return given;
}

/** A source without a type is a deposit if it names a rail or network. */
function sourceOf(given: Wire<ConversionSource> = {}): Typed<ConversionSource> {
  return { ...given, type: given.type ?? (given.via === undefined ? BALANCE : 'deposit') };
}

/** A wallet must be approved and the account's own. Every other type is the account's balance. */
export function destinationOf(
  { records }: AccountState,
  given: Wire<ConversionDestination> = {},
): Typed<ConversionDestination> {
  const { wallet_id: id, type = id === undefined ? BALANCE : 'wallet' } = given;
  if (type !== 'wallet') return { ...given, type };
  const field = 'to.destination.wallet_id';
  const status = id === undefined ? undefined : records.of(wallets).get(id)?.wallet.status;
  if (status === undefined) throw badRequest({ field, message: 'is not a wallet of the account' });
  if (status !== 'approved') throw badRequest({ field, message: `is ${status}, it must be approved` });
  return { ...given, type };
}

type WireAsset = WireAssetRef & { readonly amount?: string | undefined };

/** A conversion as the service shows it, with all members that the sandbox sets. */
export type WireConversion = Readonly<Wire<Omit<Conversion, 'status' | 'from' | 'to'>>> & {
  readonly id: string;
  readonly status: string;
  readonly from: { readonly asset: WireAsset; readonly source: Typed<ConversionSource> };
  readonly to: { readonly asset: WireAsset; readonly destination: Typed<ConversionDestination> };
};

/** A conversion other than an on-demand one. */
export interface ConversionRecord {
  readonly conversion: WireConversion;
  /** Position among the account's conversions: the oldest is 1. */
  readonly sequence: number;
  /** For example `crypto:BTC`. */
  readonly from: string;
  readonly to: string;
  readonly fails: boolean;
  /** Id of the quote at whose price it converts. */
  readonly quote?: string | undefined;
  /** Ids of its network transactions. */
  readonly references: { readonly deposit: string; readonly withdraw: string };
  /** Absent until it is `converting`. Until it settles, the account holds `gross`. */
  readonly money?: { readonly gross: string; readonly fee: string; readonly net: string } | undefined;
}

export function settlementOf({ catalogue }: State, { conversion, from, to, money }: ConversionRecord): Settlement {
  if (money === undefined) throw new Error('the conversion has no money yet');
  const { gross, fee, net } = money;
  return {
    reference: conversion.id,
    money: {
      from: catalogue.keyed(from),
      to: catalogue.keyed(to),
      gross: new Money(gross),
      net: new Money(net),
      tradeFee: new Money(fee),
      fromFee: NOTHING,
      toFee: NOTHING,
    },
    fromBalance: true,
    toBalance: conversion.to.destination.type !== 'wallet',
  };
}
