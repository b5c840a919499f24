import * as z from 'zod/mini';
import { rejectTransfer, transfers } from '../../lifecycles/transfers.js';
import { findRecord } from '../../state/find-record.js';
import type { State } from '../../state/state.js';
import { change, checked, text } from '../input.js';

export interface SandboxTransfers {
  /**
   * Makes a transfer that is `pending` or `processing` end in `failed`.
   *
   * @param reason Its `failure_reason`. Default `rejected`.
   * @throws TypeError for wrong input. Error for an unknown transfer, and for one that has ended.
   */
  fail(transferId: string, reason?: string): void;
}

export function transferControls(state: State): SandboxTransfers {
  return { fail: (transferId, reason) => change(state, () => failTransfer(state, transferId, reason)) };
}

function failTransfer(state: State, transferId: string, given: string | undefined): void {
  const id = checked('transfers.fail', text, transferId);
  const reason = checked('transfers.fail', z.optional(text), given) ?? 'rejected';
  const record = findRecord(state, transfers, id)?.record;
  if (record === undefined) throw new Error(`transfers.fail: there is no transfer ${id}`);
  if (rejectTransfer(record, reason)) return;
  throw new Error(`transfers.fail: the transfer ${id} is ${record.transfer.status} already`);
}
