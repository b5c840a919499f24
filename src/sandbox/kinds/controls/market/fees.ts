import * as z from 'zod/mini';
import { betweenTasks, checked } from '../../../core/input.js';
import type { State } from '../../../core/records/state.js';
import { feesOf, MAX_FEE_BPS, setFees, type TradeFees } from '../../shared/trade-terms.js';

/** `sandbox.fees`: what the platform takes of swaps, in basis points: 100 = 1 %. */
export interface SandboxFees {
  /** Returns the present fees. Those of a new sandbox are 25 for quotes and 40 for conversions. */
  list(): TradeFees;
  /**
   * Sets fees of what is offered or begun from now on, 0 to 4,000. What is left out stays.
   *
   * @throws TypeError for an unknown name and for another number.
   */
  set(fees: Partial<TradeFees>): TradeFees;
}

const bps = z.optional(z.number().check(z.nonnegative(), z.maximum(MAX_FEE_BPS)));
const feeInput = z.strictObject({ quotes: bps, conversions: bps });

export function feeControls(state: State): SandboxFees {
  return {
    list: () => ({ ...feesOf(state) }),
    set: (fees) =>
      betweenTasks(state, () => {
        const { quotes, conversions } = checked('fees.set', feeInput, fees);
        const before = feesOf(state);
        const changed = { quotes: quotes ?? before.quotes, conversions: conversions ?? before.conversions };
        setFees(state, changed);
        return changed;
      }),
  };
}
