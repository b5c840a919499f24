import type { OnDemandConversion } from '../../../../resources/accounts/on-demand-conversions.js';
import type { Wire } from '../../../../schema/types.js';
import { betweenTasks, checked, text } from '../../../core/input.js';
import type { AccountState, ConversionRecord, State } from '../../../core/records/state.js';
import { completeNow, settleNow } from '../../lifecycles/conversions/on-demand.js';
import { checkMove } from '../moves.js';

/** `sandbox.onDemandConversions`: moves conversions of `accounts.convert` and of the seed on. */
export interface SandboxOnDemandConversions {
  /**
   * Settles a converting conversion now: `settling`, or `failed` after `fail` or with `fails`. Its
   * end is planned as by time.
   *
   * @throws TypeError for an id that is not text. Error for an unknown conversion, and for one that
   * is not `converting`.
   */
  settle(conversionId: string): Wire<OnDemandConversion>;
  /**
   * Takes a conversion to its end now: `completed`, or `failed` after `fail` or with `fails`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown conversion, and for one that
   * has ended.
   */
  complete(conversionId: string): Wire<OnDemandConversion>;
  /**
   * Makes a converting conversion end in `failed` when it would settle.
   *
   * @throws TypeError for an id that is not text. Error for an unknown conversion, and for one that
   * is not `converting`.
   */
  fail(conversionId: string): void;
}

export function onDemandConversionControls(state: State): SandboxOnDemandConversions {
  return {
    settle: (conversionId) =>
      betweenTasks(state, () => {
        const { account, record } = conversionToMove(state, 'onDemandConversions.settle', conversionId);
        settleNow(state, account, record);
        return record.conversion;
      }),
    complete: (conversionId) =>
      betweenTasks(state, () => {
        const { account, record } = conversionToMove(state, 'onDemandConversions.complete', conversionId);
        if (record.conversion.status === 'converting') settleNow(state, account, record);
        if (record.conversion.status === 'settling') completeNow(state, account, record);
        return record.conversion;
      }),
    fail: (conversionId) =>
      betweenTasks(state, () => {
        conversionToMove(state, 'onDemandConversions.fail', conversionId).record.fails = true;
      }),
  };
}

function conversionToMove(
  state: State,
  method: string,
  given: string,
): { account: AccountState; record: ConversionRecord } {
  const id = checked(method, text, given);
  for (const account of state.accounts.values()) {
    const record = account.conversions.get(id);
    if (record === undefined) continue;
    checkMove('onDemandConversions', method, id, record.conversion.status);
    return { account, record };
  }
  throw new Error(`${method}: there is no on-demand conversion ${id}`);
}
