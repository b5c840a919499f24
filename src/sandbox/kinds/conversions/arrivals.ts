import * as z from 'zod/mini';
import type { ExpectedDeposit } from '../../../resources/accounts/deposits.js';
import type { Conversion } from '../../../resources/conversions.js';
import type { Wire } from '../../../schema/types.js';
import { text } from '../../core/basics/checked.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { amountAboveZero } from '../../core/input.js';
import { all } from '../../core/kind/find.js';
import type { StateGroup } from '../../core/kind/kind.js';
import { Money } from '../../core/money/money.js';
import type { State } from '../../core/records/state.js';
import type { SandboxDeposit } from '../funds/deposits.js';
import { expectedDeposits, receiveExpected } from '../funds/expected-deposits.js';
import { conversionRules, depositForRule } from './conversion-rules.js';
import { conversions, depositArrived } from './conversions.js';

/** The effect of an arrival. Both members are absent if a paused rule credited the money. */
export interface Arrival {
  readonly conversion?: Wire<Conversion> | undefined;
  readonly deposit?: Wire<ExpectedDeposit> | undefined;
}

/** `sandbox.deposits`: simulates money that arrives at an `inbound` or at a deposit address. */
export interface SandboxDeposits {
  /**
   * Simulates money that arrives at the `inbound` of a conversion rule, of a conversion that is
   * `pending_deposit`, or of an expected deposit. An active rule starts a conversion. A paused rule
   * credits the money. An expected deposit is `received`, and 30 s later `credited`.
   *
   * @param inboundId Id of the `inbound` at which the money arrives.
   * @param amount A decimal string above 0. Default: the expected amount.
   * @throws TypeError for wrong input. Error for an unknown inbound, and for one that no longer
   * accepts money.
   */
  arrive(inboundId: string, amount?: string): Arrival;
  /**
   * Makes a pending deposit at an address `received` now. Its credit is scheduled as usual.
   *
   * @param refId The `ref_id` of the deposit.
   */
  receive(refId: string): SandboxDeposit;
  /**
   * Credits a deposit now: one at an address that is `pending` or `received`, or an expected one
   * that is `received`.
   *
   * @param depositId The `ref_id` of a deposit at an address, or the `id` of an expected deposit.
   */
  credit(depositId: string): SandboxDeposit | Wire<ExpectedDeposit>;
  /** Makes an expected deposit that is `pending` expire now. */
  expire(depositId: string): Wire<ExpectedDeposit>;
  /** Returns each account's newest 10,000 expected deposits, oldest first. The API lists none. */
  list(): Wire<ExpectedDeposit>[];
}

const METHOD = 'deposits.arrive';

/** Money that arrives at an `inbound`, of a rule, a conversion or an expected deposit. */
export const arrivals: StateGroup = {
  name: 'deposits',
  methods: { arrive: { takes: { inboundId: text, amount: z.optional(amountAboveZero) }, run: arrive } },
};

/** @param amount Default: the expected amount. */
function arrive(state: State, id: string, amount: string | undefined): Arrival {
  const arrival = atRule(state, id, amount) ?? atConversion(state, id, amount) ?? atExpected(state, id, amount);
  if (arrival === undefined) throw new Error(`${METHOD}: there is no inbound ${excerpt(id)}`);
  return arrival;
}

function atRule(state: State, inboundId: string, amount: string | undefined): Arrival | undefined {
  const found = all(state, conversionRules).find(({ record: { rule } }) => rule.inbound.id === inboundId);
  if (found === undefined) return undefined;
  const given = amount ?? found.record.rule.from.asset?.amount;
  if (given === undefined) throw new Error(`${METHOD}: the rule has no amount: give one`);
  return { conversion: depositForRule(state, found, new Money(given)) };
}

function atConversion(state: State, inboundId: string, amount: string | undefined): Arrival | undefined {
  const found = all(state, conversions).find(({ record: { conversion } }) => conversion.inbound?.id === inboundId);
  if (found === undefined) return undefined;
  const { conversion } = found.record;
  const given = amount ?? conversion.from.asset.amount;
  if (conversion.status !== 'pending_deposit') throw new Error(`${METHOD}: the conversion is ${conversion.status}`);
  if (given === undefined) throw new Error(`${METHOD}: the conversion has no amount: give one`);
  return { conversion: depositArrived(state, found, new Money(given)) };
}

function atExpected(state: State, inboundId: string, amount: string | undefined): Arrival | undefined {
  const found = all(state, expectedDeposits).find(({ record }) => record.inbound.id === inboundId);
  if (found === undefined) return undefined;
  const { status, asset } = found.record;
  if (status !== 'pending') throw new Error(`${METHOD}: the deposit is ${status}`);
  return { deposit: receiveExpected(state, found, amount ?? asset.amount) };
}
