import { betweenTasks, checked, text } from '../../../core/input.js';
import { type FoundRecord, findRecord } from '../../../core/records/find-record.js';
import type { State } from '../../../core/records/state.js';
import { type Funding, fundings } from '../../lifecycles/funds/records.js';
import { type SandboxWithdrawal, shownWithdrawal } from '../../lifecycles/funds/settle.js';
import { checkMove, runNow } from '../moves.js';

/** `sandbox.withdrawals`: moves withdrawals on. They are named by their `ref_id`. */
export interface SandboxWithdrawals {
  /**
   * Sends a pending withdrawal now: `sent`. Its end is planned as by time.
   *
   * @throws TypeError for an id that is not text. Error for an unknown withdrawal, and for one that
   * is not `pending`.
   */
  send(refId: string): SandboxWithdrawal;
  /**
   * Takes a withdrawal to its end now: `completed`, or `failed` after `fail`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown withdrawal, and for one that
   * has ended.
   */
  complete(refId: string): SandboxWithdrawal;
  /**
   * Makes a withdrawal that is under way end as `failed`, when it would be `completed`. What it
   * holds is free again then.
   *
   * @throws TypeError for an id that is not text. Error for an unknown withdrawal, and for one that
   * has ended.
   */
  fail(refId: string): void;
}

export function withdrawalControls(state: State): SandboxWithdrawals {
  const move = (method: string, refId: string, steps: readonly string[]): SandboxWithdrawal =>
    betweenTasks(state, () => {
      const { account, record } = withdrawalToMove(state, method, refId);
      for (const step of steps) runNow(state, step, record.ref_id, account.id);
      return shownWithdrawal(state, account, record);
    });
  return {
    send: (refId) => move('withdrawals.send', refId, ['withdrawal.send']),
    complete: (refId) => move('withdrawals.complete', refId, ['withdrawal.send', 'withdrawal.finish']),
    fail: (refId) =>
      betweenTasks(state, () => {
        withdrawalToMove(state, 'withdrawals.fail', refId).record.fails = true;
      }),
  };
}

function withdrawalToMove(state: State, method: string, given: string): FoundRecord<Funding> {
  const id = checked(method, text, given);
  const found = findRecord(state, fundings, id);
  if (found?.record.type !== 'withdrawal') throw new Error(`${method}: there is no withdrawal ${id}`);
  checkMove('withdrawals', method, id, found.record.status);
  return found;
}
