import * as z from 'zod/mini';
import type { ExpectedDeposit } from '../../../../resources/accounts/deposits.js';
import type { Wire } from '../../../../schema/types.js';
import { amountAboveZero, betweenTasks, checked, text } from '../../../core/input.js';
import type { AnyKind } from '../../../core/kind/kind.js';
import { moveOn } from '../../../core/kind/moves.js';
import { allRecords, findRecord } from '../../../core/records/find-record.js';
import type { State } from '../../../core/records/state.js';
import { deposits, type SandboxDeposit } from '../../funds/deposits.js';
import { type Arrival, arrive } from '../../lifecycles/inbound/arrivals.js';
import { expectedDeposits } from '../../lifecycles/inbound/deposits.js';
import { checkMove, runNow } from '../moves.js';

/** `sandbox.deposits`: money that arrives at an `inbound` or at a deposit address. */
export interface SandboxDeposits {
  /**
   * Money arrives at the `inbound` of a conversion rule, of a conversion that is `pending_deposit`,
   * or of an expected deposit. An active rule starts a conversion. What arrives for a paused rule
   * is credited. An expected deposit is `received`, and 30 s later `credited`.
   *
   * @param amount Decimal text above 0. Default: what is expected there.
   * @throws TypeError for wrong input. Error for an unknown inbound, and for one that takes nothing
   * any more.
   */
  arrive(inboundId: string, amount?: string): Arrival;
  /**
   * Lets a pending deposit at an address be `received` now. Its credit is planned as by time.
   *
   * @param refId The `ref_id` of the deposit.
   * @throws TypeError for an id that is not text. Error for an unknown deposit, and for one that is
   * not `pending`.
   */
  receive(refId: string): SandboxDeposit;
  /**
   * Credits a deposit now: one at an address that is `pending` or `received`, or an expected one
   * that is `received`.
   *
   * @param depositId The `ref_id` of a deposit at an address, or the `id` of an expected deposit.
   * @throws TypeError for an id that is not text. Error for an unknown deposit, and for one whose
   * state does not allow it.
   */
  credit(depositId: string): SandboxDeposit | Wire<ExpectedDeposit>;
  /**
   * Lets an expected deposit that is `pending` expire now.
   *
   * @throws TypeError for an id that is not text. Error for an unknown deposit, and for one that is
   * not `pending`.
   */
  expire(depositId: string): Wire<ExpectedDeposit>;
  /**
   * Returns each account's newest 10,000 expected deposits, oldest first. The API cannot list them.
   */
  list(): Wire<ExpectedDeposit>[];
}

export function depositControls(state: State): SandboxDeposits {
  return {
    arrive: (inboundId, amount) => betweenTasks(state, () => arriveAt(state, inboundId, amount)),
    receive: (refId) => betweenTasks(state, () => moveDeposit(state, 'receive', refId)),
    credit: (depositId) =>
      betweenTasks(state, () =>
        isExpected(state, depositId)
          ? moveExpected(state, 'deposits.credit', depositId, 'expected_deposit.credit')
          : moveDeposit(state, 'credit', depositId),
      ),
    expire: (depositId) =>
      betweenTasks(state, () => moveExpected(state, 'deposits.expire', depositId, 'expected_deposit.expire')),
    list: () => betweenTasks(state, () => allRecords(state, expectedDeposits).map(({ record }) => record)),
  };
}

function arriveAt(state: State, inboundId: string, given: string | undefined): Arrival {
  const id = checked('deposits.arrive', text, inboundId);
  const arrival = arrive(state, id, checked('deposits.arrive', z.optional(amountAboveZero), given));
  if (arrival === undefined) throw new Error(`deposits.arrive: there is no inbound ${id}`);
  if (typeof arrival === 'string') throw new Error(`deposits.arrive: ${arrival}`);
  return arrival;
}

const isExpected = (state: State, id: string): boolean => findRecord(state, expectedDeposits, id) !== undefined;

function moveExpected(state: State, method: string, given: string, step: string): Wire<ExpectedDeposit> {
  const id = checked(method, text, given);
  const { account, record } = findRecord(state, expectedDeposits, id) ?? {};
  if (account === undefined || record === undefined) throw new Error(`${method}: there is no expected deposit ${id}`);
  checkMove('expectedDeposits', method, id, record.status);
  runNow(state, step, id, account.id);
  return record;
}

/** The cast is sound: the moves of a deposit return it. */
const moveDeposit = (state: State, name: 'receive' | 'credit', id: string): SandboxDeposit =>
  moveOn(state, [deposits as unknown as AnyKind], { name, id, args: [] }) as SandboxDeposit;
