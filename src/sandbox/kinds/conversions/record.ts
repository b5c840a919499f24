import type { Conversion, ConversionDestination, ConversionSource } from '../../../resources/accounts/conversions.js';
import type { Wire } from '../../../schema/types.js';
import type { WireAssetRef } from '../../core/market/catalogue.js';
import { NOTHING } from '../../core/money/ledger.js';
import { Money } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';
import type { Settlement } from '../shared/settling.js';
import type { Typed } from './request.js';

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

/** Returns the payments of a conversion. */
export function settlementOf({ catalogue }: State, { conversion, from, to, money }: ConversionRecord): Settlement {
  if (money === undefined) throw new Error('the conversion has no money yet');
  const { gross, fee, net } = money;
  return {
    reference: conversion.id,
    money: {
      ...{ from: catalogue.keyed(from), to: catalogue.keyed(to), gross: new Money(gross), net: new Money(net) },
      ...{ tradeFee: new Money(fee), fromFee: NOTHING, toFee: NOTHING },
    },
    ...{ fromBalance: true, toBalance: conversion.to.destination.type !== 'wallet' },
  };
}
