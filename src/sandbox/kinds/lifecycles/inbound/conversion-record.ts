import * as z from 'zod/mini';
import type {
  Conversion,
  ConversionDestination,
  ConversionSource,
} from '../../../../resources/accounts/conversions.js';
import { getConversion } from '../../../../resources/conversions.js';
import type { Wire } from '../../../../schema/types.js';
import type { WireAssetRef } from '../../../core/market/catalogue.js';
import type { RecordKind } from '../../../core/records/records.js';
import { amountText, answered, knownAsset } from '../../../core/records/saved-values.js';

type WireAsset = WireAssetRef & { amount?: string | undefined };

/** A place in the service's form, with the type that the sandbox always writes. */
export type Typed<Place extends { type?: string | undefined }> = Wire<Place> & { readonly type: string };

/** A conversion in the service's form, with the members that the sandbox always writes. */
type WireConversion = Wire<Omit<Conversion, 'status' | 'from' | 'to'>> & {
  status: string;
  readonly from: { readonly asset: WireAsset; readonly source: Typed<ConversionSource> };
  readonly to: { readonly asset: WireAsset; readonly destination: Typed<ConversionDestination> };
};

/** A conversion that is not an on-demand one. */
export interface AccountConversion {
  readonly conversion: WireConversion;
  /** Its place among the account's conversions: the oldest is 1. */
  readonly sequence: number;
  /** For example `crypto:BTC`. */
  readonly from: string;
  readonly to: string;
  fails: boolean;
  /** The id of the quote that it converts at. */
  readonly quote?: string | undefined;
  /** The ids of its transactions on networks. */
  readonly references: { readonly deposit: string; readonly withdraw: string };
  /** Absent until it begins to convert. The account holds `gross` while it is `converting`. */
  money?: { readonly gross: string; readonly fee: string; readonly net: string } | undefined;
}

const UNDER_WAY: readonly string[] = ['converting', 'settling', 'completed'];

/** Conversions of one account, oldest first. */
export const accountConversions: RecordKind<AccountConversion> = {
  name: 'conversions',
  schema: () => {
    const status = z.enum(['pending_deposit', 'converting', 'settling', 'completed', 'failed']);
    const asset = z.looseObject({ symbol: z.string(), type: z.string() });
    const from = z.looseObject({ asset, source: z.looseObject({ type: z.string() }) });
    const to = z.looseObject({ asset, destination: z.looseObject({ type: z.string() }) });
    const record = z.object({
      conversion: answered<WireConversion>(getConversion, ['data'], z.looseObject({ status, from, to })),
      ...{ sequence: z.int(), from: knownAsset, to: knownAsset, fails: z.boolean(), quote: z.optional(z.string()) },
      references: z.object({ deposit: z.string(), withdraw: z.string() }),
      money: z.optional(z.object({ gross: amountText, fee: amountText, net: amountText })),
    });
    return record.check(
      z.refine(({ conversion, money }) => money !== undefined || !UNDER_WAY.includes(conversion.status), {
        path: ['money'],
        message: 'is missing: the conversion is under way',
      }),
    );
  },
  holds: ({ conversion, from, money }) => {
    const [type = '', symbol = ''] = from.split(':');
    return conversion.status === 'converting' && money !== undefined ? [{ type, symbol, amount: money.gross }] : [];
  },
};
