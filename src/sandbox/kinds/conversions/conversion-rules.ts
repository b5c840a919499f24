import * as z from 'zod/mini';
import type { Inbound } from '../../../resources/accounts/deposits.js';
import {
  type ConversionDestination,
  type ConversionRule,
  type ConversionRuleCreateBody,
  createConversionRule,
} from '../../../resources/conversions.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { timestamp } from '../../core/clock/clock.js';
import { all } from '../../core/kind/find.js';
import type { Found, Kind, Moves } from '../../core/kind/kind.js';
import { statesOf } from '../../core/kind/states.js';
import { assetKey, assetRef } from '../../core/market/catalogue.js';
import { change, put } from '../../core/mutations.js';
import { handleCreation } from '../../core/reading.js';
import { answered, knownAsset } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { creditInbound } from '../funds/deposits.js';
import { openInbound } from '../funds/inbounds.js';
import { positive } from '../shared/amounts.js';
import { assetsToSwap } from '../shared/swaps.js';
import { depositArrived, startConversion } from './conversions.js';
import { destinationOf, type Typed, type WireConversion } from './request.js';

/** A rule as the service shows it, with all members that the sandbox sets. */
type WireRule = Readonly<Wire<Omit<ConversionRule, 'status' | 'current_uses' | 'from' | 'to' | 'inbound'>>> & {
  readonly id: string;
  readonly status: string;
  readonly current_uses: number;
  readonly from: { readonly asset: Wire<NonNullable<ConversionRule['from']>>['asset']; readonly via: string };
  readonly to: {
    readonly asset: Wire<NonNullable<ConversionRule['to']>>['asset'];
    readonly destination: Typed<ConversionDestination>;
  };
  readonly inbound: Wire<Inbound>;
};

interface RuleRecord {
  readonly rule: WireRule;
  /** For example `crypto:BTC`. */
  readonly from: string;
  readonly to: string;
}

const STATES = ['active', 'paused'] as const;

/** `sandbox.conversionRules`: lists rules and sets their status, which the API cannot do. */
export interface SandboxConversionRules {
  /** Returns each account's newest 10,000 rules, oldest first. */
  list(): Wire<ConversionRule>[];
  /**
   * Pauses a rule, or makes it active again. Returns the rule.
   *
   * @param status The new status.
   */
  setStatus(ruleId: string, status: 'active' | 'paused'): Wire<ConversionRule>;
}

/** The conversion rules of an account, oldest first. */
export const conversionRules: Kind<RuleRecord> = {
  name: 'conversionRules',
  noun: 'conversion rule',
  owner: 'account',
  schema: () =>
    z.object({
      rule: answered<WireRule>(createConversionRule, ['data'], {
        status: z.enum(statesOf(conversionRules)),
        current_uses: z.int(),
        inbound: z.looseObject({ id: z.string() }),
        from: z.looseObject({ via: z.string() }),
        to: z.looseObject({ destination: z.looseObject({ type: z.string() }) }),
      }),
      from: knownAsset,
      to: knownAsset,
    }),
  shown: ({ rule }) => rule,
  stateOf: ({ rule }) => rule.status,
  inState,
  initial: STATES,
  idName: 'ruleId',
  moves: {
    setStatus: {
      from: STATES,
      takes: { status: z.enum(STATES) },
      choices: (status) => STATES.filter((one) => one !== status),
      run: setStatus,
    },
  } satisfies Moves<'setStatus', RuleRecord>,
  transitions: [
    { from: 'active', to: 'paused' },
    { from: 'paused', to: 'active' },
  ],
  methods: { list: { run: (state) => all(state, conversionRules).map(({ record }) => record.rule) } },
  operations: [handleCreation<Wire<ConversionRuleCreateBody>>(createConversionRule, createRule)],
  choices: {
    [createConversionRule.name]: [
      'Expects a bank rail as `via` of a fiat asset, and a network as `via` of every other asset.',
      'Converts deposits of any amount, whatever the amount of the rule. While a rule is paused, what arrives for it is credited without a conversion.',
    ],
  },
};

function createRule(state: State, account: AccountState, body: Wire<ConversionRuleCreateBody>): WireRule {
  const { from, to, name, status = 'active' } = body;
  const fields = ['from.asset.symbol', 'to.asset.symbol'] as const;
  const [source, destination] = assetsToSwap(state, from.asset, to.asset, fields);
  const { amount } = from.asset;
  if (amount !== undefined) positive(amount, 'from.asset.amount');
  const place = destinationOf(account, to.destination);
  const id = state.random.uuid();
  const now = timestamp(state.clock.now());
  const order = { asset: source, via: from.via, lifecycle: 'reusable', field: 'from.via', rule: id } as const;
  const rule: WireRule = {
    id,
    ...(name === undefined ? {} : { name }),
    status,
    current_uses: 0,
    from: { asset: { ...assetRef(source), ...(amount === undefined ? {} : { amount }) }, via: from.via },
    to: { asset: assetRef(destination), destination: place },
    inbound: openInbound(state, order),
    created_at: now,
    updated_at: now,
  };
  const record = { rule, from: assetKey(source), to: assetKey(destination) };
  put(state, conversionRules, { account, id, record });
  return rule;
}

function inState(record: RuleRecord, status: string, now: number): RuleRecord {
  return { ...record, rule: { ...record.rule, status, updated_at: timestamp(now) } };
}

/** The rule may have the status already. */
function setStatus(state: State, found: Found<RuleRecord>, status: string): WireRule {
  return change(state, conversionRules, found, inState(found.record, status, state.clock.now())).rule;
}

/** Handles a deposit for a rule: an active rule converts it, a paused one credits it. */
export function depositForRule(state: State, found: Found<RuleRecord>, amount: Decimal): WireConversion | undefined {
  const { account, id, record } = found;
  const { rule, from, to } = record;
  const asset = state.catalogue.keyed(from);
  if (rule.status !== 'active') {
    creditInbound(state, account, { asset, amount }, id);
    return undefined;
  }
  change(state, conversionRules, found, { ...record, rule: { ...rule, current_uses: rule.current_uses + 1 } });
  const conversion = startConversion(state, account, {
    from: asset,
    to: state.catalogue.keyed(to),
    destination: rule.to.destination,
    source: { type: 'deposit', via: rule.from.via },
    more: { conversion_rule_id: rule.id },
  });
  return depositArrived(state, conversion, amount);
}
