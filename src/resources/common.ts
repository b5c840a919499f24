import type { Correlation } from '../schema/correlation.js';
import type { Decimal } from '../schema/decimal.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import { ownMember } from '../util/members.js';

/**
 * Class of an asset. One ticker can exist in several classes, so a symbol always comes with its
 * type. Responses may contain a class that is newer than this package. As input, this package
 * rejects such a class before sending; `client.request()` sends it.
 */
export type AssetType = 'fiat' | 'crypto' | 'stablecoin' | 'xstock' | (string & {});

/** Reference to an asset. */
export interface AssetRef {
  /** Ticker, for example `BTC`. */
  symbol: string;
  type: AssetType;
}

/** Reference to an asset with its display name. */
export interface NamedAssetRef extends AssetRef {
  /** Display name, for example `Bitcoin`. */
  name: string;
}

/** A quantity of an asset. */
export interface AssetAmount extends NamedAssetRef {
  /** Exact quantity in the asset. */
  amount: Decimal;
}

/** Reference to an asset. Its display name may be missing. */
export interface AssetLabel extends AssetRef {
  /** Display name, for example `Bitcoin`. */
  name?: string | undefined;
}

/** An asset whose form the service does not document: a ticker or a reference. */
export type NamedAsset = string | PartialAssetRef;

/** Valuation asset of a response, if the service shows it. */
export interface Valuation {
  quote_symbol?: string | undefined;
  quote_type?: AssetType | undefined;
}

/** A reference to an asset in which any member may be missing. */
export type PartialAssetRef = {
  /** Ticker, for example `BTC`. */
  symbol?: string | undefined;
  type?: AssetType | undefined;
  /** Display name, for example `Bitcoin`. */
  name?: string | undefined;
};

/** A quantity of an asset whose display name may be missing. */
export interface AssetQuantity extends AssetLabel {
  /** Exact quantity in the asset. */
  amount: Decimal;
}

/** The method by which an address takes deposits or receives withdrawals. */
export interface FundingMethod {
  /** UUID. */
  id: string;
  name?: string | undefined;
}

/** A quantity of an asset that is named only by its ticker. */
export interface SymbolAmount {
  /** Ticker, for example `BTC`. */
  symbol: string;
  /** Exact quantity in the asset. */
  amount: Decimal;
}

/** The side of a requested conversion that has the amount. The other is a `ComputedQuoteSide`. */
export interface FixedQuoteSide {
  /** Ticker, 3 to 16 characters. */
  symbol: string;
  type: AssetType;
  /** Plain decimal string, sent unchanged, or a `Decimal`. At most 256 digits. */
  amount: Decimal | string;
}

/** The two sides of a requested conversion, of which exactly one carries its amount. */
export type QuoteSides<From = unknown> =
  | { from: FixedQuoteSide & From; to: ComputedQuoteSide }
  | { from: ComputedQuoteSide & From; to: FixedQuoteSide };

/** The partner's fee. */
export interface PartnerFee {
  /** Basis points: 100 = 1 %. */
  bps: number;
}

/** The side that the service computes. The other side is a `FixedQuoteSide`. */
export interface ComputedQuoteSide {
  /** Ticker, 3 to 16 characters. */
  symbol: string;
  type: AssetType;
  /** Not set: exactly one of the two sides carries an amount. */
  amount?: undefined;
}

/** A value narrowed by `status` to these statuses; not narrowed if the status is any string. */
export type WithStatus<Value, Status extends string> = string extends Status
  ? Value
  : Status extends unknown
    ? Value & { status: Status }
    : never;

/** An asset in an input, with or without a quantity. */
export interface AssetInput {
  /** Ticker, 3 to 16 characters. */
  symbol: string;
  type: AssetType;
  /** Plain decimal string, sent unchanged, or a `Decimal`. Up to 256 digits. Default: not fixed. */
  amount?: Decimal | string | undefined;
}

/** A page of a list. A list whose limits are documented has its own `page_size`. */
export interface PageParams {
  /** At least 1. The service documents neither a limit nor a default. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 256 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

/** A page of a list. Any further parameter is sent unchanged. */
export interface OpenPageParams extends PageParams {
  [parameter: string]: unknown;
}

export const pageParams = s.input<PageParams>()(() => z.object(s.paging()));
export const openPageParams = s.input<OpenPageParams>()(() => z.looseObject(s.paging()));

/** True for an absolute https URL without spaces, which a URL parser would drop. */
export const isHttpsUrl = (text: string): boolean => /^https:\/\/\S+$/i.test(text) && URL.canParse(text);

export const assetRef = () => z.looseObject({ symbol: z.string(), type: z.string() });
export const namedAssetRef = () => z.looseObject({ symbol: z.string(), type: z.string(), name: z.string() });
export const partialAssetRef = () => s.allOptional(namedAssetRef());
export const namedAsset = () => z.union([z.string(), partialAssetRef()]);
export const assetAmount = () => z.looseObject({ ...namedAssetRef().shape, amount: s.amount() });
export const assetLabel = () => z.looseObject({ symbol: z.string(), type: z.string(), name: s.optionalText() });
export const assetQuantity = () => z.looseObject({ ...assetLabel().shape, amount: s.amount() });
export const valuation = () => ({ quote_symbol: s.optionalText(), quote_type: s.optionalText() });
export const fundingMethod = () => z.looseObject({ id: z.string(), name: s.optionalText() });
export const symbolAmount = () => z.looseObject({ symbol: z.string(), amount: s.amount() });

export const assetRefInput = () => z.object({ symbol: s.symbol(), type: s.assetType() });
export const quoteSideInput = () => z.object({ ...assetRefInput().shape, amount: z.optional(s.amountInput()) });

/** A response has the symbol, type and amount of an asset that the body of its call has. */
const assetAt = (...path: readonly string[]): readonly Correlation[] => [
  { member: [...path, 'symbol'] },
  { member: [...path, 'type'] },
  { member: [...path, 'amount'], as: 'amount' },
];

/**
 * A new quote has the symbols and types of the request, and the amount of the side that carries
 * one. The service computes the other amount.
 */
export const BOTH_SIDES: readonly Correlation[] = [...assetAt('from'), ...assetAt('to')];

/** The asset at a path of a body. The service does not promise to return the same one. */
export const unpromisedAsset = (...path: readonly string[]): readonly Correlation[] =>
  assetAt(...path).map((one) => ({ ...one, isUnpromised: true }));

/** The assets of a conversion. The service computes the amount of the second. */
export const CONVERTED_ASSETS: readonly Correlation[] = [
  ...unpromisedAsset('from', 'asset'),
  { member: ['to', 'asset', 'symbol'], isUnpromised: true },
  { member: ['to', 'asset', 'type'], isUnpromised: true },
];

/** The response about one quote has the id of the path. */
export const QUOTE_ID_OF_PATH: readonly Correlation[] = [{ member: ['id'], param: 'quote_id' }];

/** The rules of `QuoteSides` with a `PartnerFee`. */
export const tradeInput = () =>
  quoteSidesInput(quoteSideInput(), quoteSideInput(), { fee: z.optional(z.object({ bps: z.number() })) });

/** The rules of `QuoteSides`. */
export function quoteSidesInput<
  From extends z.core.$ZodType,
  To extends z.core.$ZodType,
  Rest extends z.core.$ZodShape,
>(from: From, to: To, rest: Rest) {
  const sides = z.object({ from, to, ...rest }).check(({ value, issues }) => {
    const given = value as unknown as Record<'from' | 'to', { amount?: unknown }>;
    const amounts = { 'from.amount': ownMember(given.from, 'amount'), 'to.amount': ownMember(given.to, 'amount') };
    s.exactlyOne(amounts, issues);
  });
  return sides as unknown as z.core.$ZodType<unknown, s.OneAmount<z.input<typeof sides>>>;
}
