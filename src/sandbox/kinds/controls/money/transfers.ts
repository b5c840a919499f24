import * as z from 'zod/mini';
import type { Transfer } from '../../../../resources/accounts/transfers.js';
import type { Wire } from '../../../../schema/types.js';
import { change, checked, text } from '../../../core/input.js';
import { type FoundRecord, findRecord } from '../../../core/records/find-record.js';
import type { State } from '../../../core/records/state.js';
import { type TransferRecord, transfers } from '../../lifecycles/transfers.js';
import { checkMove, runNow } from '../moves.js';

/** `sandbox.transfers`: moves transfers on. */
export interface SandboxTransfers {
  /**
   * Begins to process a pending transfer now: `processing`. Its end is planned as by time.
   *
   * @throws TypeError for an id that is not text. Error for an unknown transfer, and for one that
   * is not `pending`.
   */
  process(transferId: string): Wire<Transfer>;
  /**
   * Takes a transfer to its end now: `completed`, or `failed` after `fail`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown transfer, and for one that
   * has ended.
   */
  complete(transferId: string): Wire<Transfer>;
  /**
   * Makes a transfer that is `pending` or `processing` end in `failed`.
   *
   * @param reason Its `failure_reason`. Default `rejected`.
   * @throws TypeError for wrong input. Error for an unknown transfer, and for one that has ended.
   */
  fail(transferId: string, reason?: string): void;
}

export function transferControls(state: State): SandboxTransfers {
  const move = (method: string, transferId: string, steps: readonly string[]): Wire<Transfer> =>
    change(state, () => {
      const { account, record } = transferToMove(state, method, transferId);
      for (const step of steps) runNow(state, step, record.transfer.id, account.id);
      return record.transfer;
    });
  return {
    process: (transferId) => move('transfers.process', transferId, ['transfer.process']),
    complete: (transferId) => move('transfers.complete', transferId, ['transfer.process', 'transfer.finish']),
    fail: (transferId, reason) =>
      change(state, () => {
        const given = checked('transfers.fail', z.optional(text), reason);
        transferToMove(state, 'transfers.fail', transferId).record.fails = given ?? 'rejected';
      }),
  };
}

function transferToMove(state: State, method: string, given: string): FoundRecord<TransferRecord> {
  const id = checked(method, text, given);
  const found = findRecord(state, transfers, id);
  if (found === undefined) throw new Error(`${method}: there is no transfer ${id}`);
  checkMove('transfers', method, id, found.record.transfer.status);
  return found;
}
