import * as z from 'zod/mini';
import type { ConversionRule } from '../../../../resources/accounts/conversion-rules.js';
import type { Conversion } from '../../../../resources/accounts/conversions.js';
import type { Wire } from '../../../../schema/types.js';
import { betweenTasks, checked, text } from '../../../core/input.js';
import { allRecords, type FoundRecord, findRecord } from '../../../core/records/find-record.js';
import type { State } from '../../../core/records/state.js';
import { type AccountConversion, accountConversions } from '../../lifecycles/inbound/conversion-record.js';
import { rejectConversion } from '../../lifecycles/inbound/conversions.js';
import { conversionRules, setRuleStatus } from '../../lifecycles/inbound/rules.js';
import { checkMove, runNow } from '../moves.js';

/** `sandbox.conversionRules`: what the API cannot read or change. */
export interface SandboxConversionRules {
  /** Returns each account's newest 10,000 rules, oldest first. */
  list(): Wire<ConversionRule>[];
  /**
   * Pauses a rule, or makes it active again. Returns the rule.
   *
   * @throws TypeError for wrong input, Error for an unknown rule.
   */
  setStatus(ruleId: string, status: 'active' | 'paused'): Wire<ConversionRule>;
}

/** `sandbox.conversions`: moves conversions of `accounts.conversions` on. */
export interface SandboxConversions {
  /**
   * Settles a converting conversion now: `settling`, or `failed` after `fail`. Its end is planned
   * as by time.
   *
   * @throws TypeError for an id that is not text. Error for an unknown conversion, and for one that
   * is not `converting`.
   */
  settle(conversionId: string): Wire<Conversion>;
  /**
   * Takes a conversion to its end now: `completed`, or `failed` after `fail`.
   *
   * @throws TypeError for an id that is not text. Error for an unknown conversion, and for one that
   * is neither `converting` nor `settling`.
   */
  complete(conversionId: string): Wire<Conversion>;
  /**
   * Makes a conversion of `accounts.conversions` end in `failed`: at once while it waits for its
   * deposit, otherwise when it would settle. What has arrived stays the account's.
   *
   * @throws TypeError for an id that is not text. Error for an unknown conversion, and for one that
   * has settled or ended.
   */
  fail(conversionId: string): void;
}

export function conversionRuleControls(state: State): SandboxConversionRules {
  return {
    list: () => betweenTasks(state, () => allRecords(state, conversionRules).map(({ record }) => record.rule)),
    setStatus: (ruleId, status) => betweenTasks(state, () => setStatus(state, ruleId, status)),
  };
}

function setStatus(state: State, ruleId: string, given: string): Wire<ConversionRule> {
  const id = checked('conversionRules.setStatus', text, ruleId);
  const status = checked('conversionRules.setStatus', z.enum(['active', 'paused']), given);
  const found = findRecord(state, conversionRules, id);
  if (found === undefined) throw new Error(`conversionRules.setStatus: there is no rule ${id}`);
  return setRuleStatus(state, found.record, status);
}

export function conversionControls(state: State): SandboxConversions {
  return {
    settle: (conversionId) =>
      betweenTasks(state, () => {
        const { account, record } = conversionToMove(state, 'conversions.settle', conversionId);
        runNow(state, 'conversion.pay_in', record.conversion.id, account.id);
        return record.conversion;
      }),
    complete: (conversionId) =>
      betweenTasks(state, () => {
        const { account, record } = conversionToMove(state, 'conversions.complete', conversionId);
        for (const step of ['conversion.pay_in', 'conversion.pay_out']) {
          runNow(state, step, record.conversion.id, account.id);
        }
        return record.conversion;
      }),
    fail: (conversionId) =>
      betweenTasks(state, () => {
        const { account, record } = conversionToMove(state, 'conversions.fail', conversionId);
        rejectConversion(state, account, record);
      }),
  };
}

function conversionToMove(state: State, method: string, given: string): FoundRecord<AccountConversion> {
  const id = checked(method, text, given);
  const found = findRecord(state, accountConversions, id);
  if (found === undefined) throw new Error(`${method}: there is no conversion ${id}`);
  checkMove('conversions', method, id, found.record.conversion.status);
  return found;
}
