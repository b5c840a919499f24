import { fundingNamed, hasEnded } from '../../lifecycles/funds/records.js';
import type { State } from '../../state/state.js';
import { change, checked, text } from '../input.js';

export interface SandboxWithdrawals {
  /**
   * Makes a withdrawal that is under way end as `failed`, when it would be `completed`. What it
   * holds is free again then.
   *
   * @param refId The `ref_id` of the withdrawal.
   * @throws TypeError for an id that is not text. Error for an unknown withdrawal, and for one that
   * has ended.
   */
  fail(refId: string): void;
}

export function withdrawalControls(state: State): SandboxWithdrawals {
  return { fail: (refId) => change(state, () => failWithdrawal(state, refId)) };
}

function failWithdrawal(state: State, refId: string): void {
  const id = checked('withdrawals.fail', text, refId);
  const funding = fundingNamed(state, id);
  if (funding?.type !== 'withdrawal') throw new Error(`withdrawals.fail: there is no withdrawal ${id}`);
  if (hasEnded(funding)) throw new Error(`withdrawals.fail: the withdrawal ${id} is ${funding.status} already`);
  funding.fails = true;
}
