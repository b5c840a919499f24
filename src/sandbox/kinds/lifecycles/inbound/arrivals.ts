import type { Conversion } from '../../../../resources/accounts/conversions.js';
import type { ExpectedDeposit } from '../../../../resources/accounts/deposits.js';
import type { Wire } from '../../../../schema/types.js';
import { Money } from '../../../core/money/money.js';
import { allRecords } from '../../../core/records/find-record.js';
import type { State } from '../../../core/records/state.js';
import { accountConversions } from './conversion-record.js';
import { depositArrived } from './conversions.js';
import { expectedDeposits, receiveDeposit } from './deposits.js';
import { conversionRules, depositForRule } from './rules.js';

/** The effect of an arrival: neither, if a paused rule let it be credited. */
export interface Arrival {
  readonly conversion?: Wire<Conversion> | undefined;
  readonly deposit?: Wire<ExpectedDeposit> | undefined;
}

/**
 * Money arrives at an inbound of a rule, a conversion or an expected deposit.
 *
 * @param amount Default: what is expected there.
 * @returns Undefined for an unknown inbound, and the reason why nothing can arrive.
 */
export function arrive(state: State, inboundId: string, amount: string | undefined): Arrival | string | undefined {
  const forRule = allRecords(state, conversionRules).find(({ record }) => record.rule.inbound.id === inboundId);
  if (forRule !== undefined) {
    const { account, record } = forRule;
    const given = amount ?? record.rule.from.asset?.amount;
    if (given === undefined) return 'the rule has no amount: give one';
    return { conversion: depositForRule(state, account, record, new Money(given))?.conversion };
  }
  const ofConversion = allRecords(state, accountConversions);
  const awaited = ofConversion.find(({ record }) => record.conversion.inbound?.id === inboundId);
  if (awaited !== undefined) {
    const { conversion } = awaited.record;
    const given = amount ?? conversion.from.asset.amount;
    if (conversion.status !== 'pending_deposit') return `the conversion is ${conversion.status}`;
    if (given === undefined) return 'the conversion has no amount: give one';
    depositArrived(state, awaited.account, awaited.record, new Money(given));
    return { conversion };
  }
  const expected = allRecords(state, expectedDeposits).find(({ record }) => record.inbound.id === inboundId);
  if (expected === undefined) return undefined;
  const { account, record } = expected;
  if (record.status !== 'pending') return `the deposit is ${record.status}`;
  receiveDeposit(state, account, record, amount ?? record.asset.amount);
  return { deposit: record };
}
