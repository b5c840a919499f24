import * as z from 'zod/mini';
import type { PriceTriggerSwap } from '../../../../resources/accounts/price-trigger-swaps.js';
import type { Wire } from '../../../../schema/types.js';
import { betweenTasks, checked, text } from '../../../core/input.js';
import { findRecord } from '../../../core/records/find-record.js';
import type { AccountState, State } from '../../../core/records/state.js';
import {
  cancelSwap,
  failSwap,
  type PriceTriggerRecord,
  priceTriggerSwaps,
  SWAP_FAILURES,
  type SwapFailure,
  triggerSwap,
} from '../../lifecycles/price-trigger-swaps.js';
import { checkMove } from '../moves.js';

/** `sandbox.priceTriggerSwaps`: ends swaps that wait for a price. */
export interface SandboxPriceTriggerSwaps {
  /**
   * Makes an active swap now, at the present price, as if its own was reached. It is `completed`,
   * or `cancelled` if the account has too little or the price leaves nothing.
   *
   * @throws TypeError for an id that is not text. Error for an unknown swap, and for one that is
   * not `active`.
   */
  trigger(swapId: string): Wire<PriceTriggerSwap>;
  /**
   * Cancels an active swap, as the partner does by the API.
   *
   * @throws TypeError for an id that is not text. Error for an unknown swap, and for one that is
   * not `active`.
   */
  cancel(swapId: string): Wire<PriceTriggerSwap>;
  /**
   * Lets an active swap fail now, as if its price was reached: it is `cancelled`.
   *
   * @param reason Its `cancelled_reason.code`. Default `cannot_be_executed`.
   * @throws TypeError for wrong input. Error for an unknown swap, and for one that is not `active`.
   */
  fail(swapId: string, reason?: SwapFailure): Wire<PriceTriggerSwap>;
}

export function priceTriggerSwapControls(state: State): SandboxPriceTriggerSwaps {
  const move = (
    name: keyof SandboxPriceTriggerSwaps,
    given: string,
    run: (account: AccountState, record: PriceTriggerRecord) => void,
  ): Wire<PriceTriggerSwap> =>
    betweenTasks(state, () => {
      const method = `priceTriggerSwaps.${name}`;
      const id = checked(method, text, given);
      const { account, record } = findRecord(state, priceTriggerSwaps, id) ?? {};
      if (account === undefined || record === undefined) throw new Error(`${method}: there is no swap ${id}`);
      checkMove('priceTriggerSwaps', method, id, record.swap.status);
      run(account, record);
      return record.swap;
    });
  return {
    trigger: (id) => move('trigger', id, (account, record) => triggerSwap(state, account, record)),
    cancel: (id) => move('cancel', id, (account, { swap }) => cancelSwap(state, account, swap.id)),
    fail(id, reason = 'cannot_be_executed') {
      const code = checked('priceTriggerSwaps.fail', z.enum(SWAP_FAILURES), reason);
      return move('fail', id, (account, record) => failSwap(state, account, record, code));
    },
  };
}
