import * as z from 'zod/mini';
import type { GroupOf } from '../core/kind/group.js';
import type { StateGroup } from '../core/kind/kind.js';
import { keep } from '../core/mutations.js';
import type { State } from '../core/records/state.js';
import { FEES_ID, feesOf, MAX_FEE_BPS, type TradeFees, tradeFees } from './shared/trade-terms.js';

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

const bps = z.optional(z.number().check(z.nonnegative(), z.maximum(MAX_FEE_BPS)));
const feeInput = z.strictObject({ quotes: bps, conversions: bps });

/** The fees of the platform. */
export const fees: StateGroup & GroupOf<State, SandboxFees> = {
  name: 'fees',
  moreOfPartner: [tradeFees],
  methods: {
    list: { run: feesOf },
    set: {
      takes: { fees: feeInput },
      run(state, given) {
        const before = feesOf(state);
        const { quotes = before.quotes, conversions = before.conversions } = given;
        keep(state, tradeFees, undefined, FEES_ID, { quotes, conversions });
        return { quotes, conversions };
      },
    },
  },
};
