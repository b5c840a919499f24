import * as z from 'zod/mini';
import type { ConversionRule } from '../../../resources/accounts/conversion-rules.js';
import type { ExpectedDeposit } from '../../../resources/accounts/deposits.js';
import type { Wire } from '../../../schema/types.js';
import { type Arrival, arrive } from '../../lifecycles/inbound/arrivals.js';
import { accountConversions } from '../../lifecycles/inbound/conversion-record.js';
import { rejectConversion } from '../../lifecycles/inbound/conversions.js';
import { expectedDeposits } from '../../lifecycles/inbound/deposits.js';
import { conversionRules, setRuleStatus } from '../../lifecycles/inbound/rules.js';
import { allRecords, findRecord } from '../../state/find-record.js';
import type { State } from '../../state/state.js';
import { amount, change, checked, text } from '../input.js';

/** `sandbox.deposits`: money that arrives where an `inbound` says. */
export interface SandboxDeposits {
  /**
   * Money arrives at the `inbound` of a conversion rule, of a conversion that is `pending_deposit`,
   * or of an expected deposit. An active rule starts a conversion. What arrives for a paused rule is
   * credited. An expected deposit is `received`, and 30 s later `credited`.
   *
   * @param amount Decimal text above 0. Default: what is expected there.
   * @throws TypeError for wrong input. Error for an unknown inbound, and for one that takes nothing
   * any more.
   */
  arrive(inboundId: string, amount?: string): Arrival;
  /** Returns each account's newest 10,000 expected deposits, oldest first. The API cannot list them. */
  list(): Wire<ExpectedDeposit>[];
}

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

export interface SandboxConversions {
  /**
   * Makes a conversion of `accounts.conversions` end in `failed`: at once while it waits for its
   * deposit, otherwise when it would settle. What has arrived stays the account's.
   *
   * @throws TypeError for an id that is not text. Error for an unknown conversion, and for one that
   * has settled or ended.
   */
  fail(conversionId: string): void;
}

export function depositControls(state: State): SandboxDeposits {
  return {
    arrive: (inboundId, amount) => change(state, () => arriveAt(state, inboundId, amount)),
    list: () => change(state, () => allRecords(state, expectedDeposits).map(({ record }) => record)),
  };
}

const amountAboveZero = z.optional(amount.check(z.refine((value) => /[1-9]/.test(value), 'must be above 0')));

function arriveAt(state: State, inboundId: string, given: string | undefined): Arrival {
  const id = checked('deposits.arrive', text, inboundId);
  const arrival = arrive(state, id, checked('deposits.arrive', amountAboveZero, given));
  if (arrival === undefined) throw new Error(`deposits.arrive: there is no inbound ${id}`);
  if (typeof arrival === 'string') throw new Error(`deposits.arrive: ${arrival}`);
  return arrival;
}

export function conversionRuleControls(state: State): SandboxConversionRules {
  return {
    list: () => change(state, () => allRecords(state, conversionRules).map(({ record }) => record.rule)),
    setStatus: (ruleId, status) => change(state, () => setStatus(state, ruleId, status)),
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
  return { fail: (conversionId) => change(state, () => failConversion(state, conversionId)) };
}

function failConversion(state: State, conversionId: string): void {
  const id = checked('conversions.fail', text, conversionId);
  const found = findRecord(state, accountConversions, id);
  if (found === undefined) throw new Error(`conversions.fail: there is no conversion ${id}`);
  const { account, record } = found;
  if (rejectConversion(state, account, record)) return;
  throw new Error(`conversions.fail: the conversion ${id} is ${record.conversion.status} already`);
}
