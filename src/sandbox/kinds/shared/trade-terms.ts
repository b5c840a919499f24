import * as z from 'zod/mini';
import type { Decimal } from '../../../schema/decimal.js';
import type { GroupOf } from '../../core/kind/group.js';
import type { StateGroup } from '../../core/kind/kind.js';
import { type Asset, assetKey } from '../../core/market/catalogue.js';
import { keep } from '../../core/mutations.js';
import type { RecordKind } from '../../core/records/records.js';
import { amountText } from '../../core/records/saved-values.js';
import type { State } from '../../core/records/state.js';
import { badRequest } from '../../core/request/refusal.js';

/** Platform fees in basis points: 100 = 1 %. */
export interface TradeFees {
  /** Fee of quotes, on-chain quotes and price-trigger swaps, in addition to the partner's own. */
  readonly quotes: number;
  /** Fee of conversions and on-demand conversions without a quote. */
  readonly conversions: number;
}

export const USUAL_FEES: TradeFees = { quotes: 25, conversions: 40 };

/** Maximum that the sandbox chose: with the partner's fee, something must be left to convert. */
const MAX_FEE_BPS = 4_000;

const bps = z.number().check(z.nonnegative(), z.maximum(MAX_FEE_BPS));

/** Id of the only record of fees. */
const FEES_ID = 'all';

const tradeFees: RecordKind<TradeFees> = {
  name: 'tradeFees',
  schema: () => z.object({ quotes: bps, conversions: bps }),
};

export const feesOf = ({ records }: Pick<State, 'records'>): TradeFees =>
  records.of(tradeFees).get(FEES_ID) ?? USUAL_FEES;

/** Minimum and maximum amount of an asset as the source of one quote, as decimal strings. */
export interface TradeLimits {
  /** Minimum source amount of a quote, as decimal text. */
  readonly minimum?: string | undefined;
  /** Maximum source amount of a quote, as decimal text. */
  readonly maximum?: string | undefined;
}

/** Limits by the key of the source asset, or by the keys of source and destination. */
export const tradeLimits: RecordKind<TradeLimits> = {
  name: 'tradeLimits',
  schema: () => z.object({ minimum: z.optional(amountText), maximum: z.optional(amountText) }),
};

export const pairKey = (from: Asset, to: Asset | undefined): string =>
  to === undefined ? assetKey(from) : `${assetKey(from)} ${assetKey(to)}`;

/** Throws 400 for a source amount outside the limits. Those of a pair have priority. */
export function checkTradeLimits({ records }: State, from: Asset, to: Asset, amount: Decimal, field: string): void {
  const kept = records.of(tradeLimits);
  const { minimum, maximum } = kept.get(pairKey(from, to)) ?? kept.get(pairKey(from, undefined)) ?? {};
  if (minimum !== undefined && amount.lt(minimum)) {
    throw badRequest({ field, message: `is too small: at least ${minimum} ${from.symbol}` });
  }
  if (maximum !== undefined && amount.gt(maximum)) {
    throw badRequest({ field, message: `is too large: at most ${maximum} ${from.symbol}` });
  }
}

/** `sandbox.fees`: the platform's fees on swaps, in basis points: 100 = 1 %. */
export interface SandboxFees {
  /** Returns the current fees. A new sandbox has 25 for quotes and 40 for conversions. */
  list(): TradeFees;
  /**
   * Sets the fees of later quotes and orders. Absent members do not change.
   *
   * @param fees The fees to set, in basis points: 0 to 4,000.
   * @throws TypeError for an unknown name and for a number out of range.
   */
  set(fees: Partial<TradeFees>): TradeFees;
}

export const fees: StateGroup & GroupOf<State, SandboxFees> = {
  name: 'fees',
  moreOfPartner: [tradeFees],
  methods: {
    list: { run: feesOf },
    set: {
      takes: { fees: z.strictObject({ quotes: z.optional(bps), conversions: z.optional(bps) }) },
      run(state, given) {
        const before = feesOf(state);
        const { quotes = before.quotes, conversions = before.conversions } = given;
        keep(state, tradeFees, undefined, FEES_ID, { quotes, conversions });
        return { quotes, conversions };
      },
    },
  },
};
