import * as z from 'zod/mini';
import {
  type ConversionRule,
  type ConversionRuleCreateBody,
  createConversionRule,
} from '../../../../resources/accounts/conversion-rules.js';
import type { ConversionDestination } from '../../../../resources/accounts/conversions.js';
import type { Inbound } from '../../../../resources/accounts/inbound.js';
import type { Decimal } from '../../../../schema/decimal.js';
import type { Wire } from '../../../../schema/types.js';
import { timestamp } from '../../../core/clock/clock.js';
import { assetKey, assetRef } from '../../../core/market/catalogue.js';
import type { RecordKind } from '../../../core/records/records.js';
import { answered, knownAsset } from '../../../core/records/saved-values.js';
import type { AccountState, State } from '../../../core/records/state.js';
import { positive } from '../../shared/amounts.js';
import { assetsToSwap } from '../../shared/swaps.js';
import type { AccountConversion, Typed } from './conversion-record.js';
import { depositArrived, destinationOf, startConversion } from './conversions.js';
import { credit, openInbound } from './inbounds.js';

/** A rule in the service's form, with the members that the sandbox always writes. */
type WireRule = Wire<Omit<ConversionRule, 'status' | 'current_uses' | 'from' | 'to' | 'inbound'>> & {
  status: string;
  current_uses: number;
  readonly from: { readonly asset: Wire<NonNullable<ConversionRule['from']>>['asset']; readonly via: string };
  readonly to: {
    readonly asset: Wire<NonNullable<ConversionRule['to']>>['asset'];
    readonly destination: Typed<ConversionDestination>;
  };
  readonly inbound: Wire<Inbound>;
};

export interface RuleRecord {
  readonly rule: WireRule;
  /** For example `crypto:BTC`. */
  readonly from: string;
  readonly to: string;
}

/** Conversion rules of one account, oldest first. */
export const conversionRules: RecordKind<RuleRecord> = {
  name: 'conversionRules',
  schema: () =>
    z.object({
      rule: answered<WireRule>(
        createConversionRule,
        ['data'],
        z.looseObject({
          ...{ status: z.string(), current_uses: z.int(), inbound: z.looseObject({ id: z.string() }) },
          from: z.looseObject({ via: z.string() }),
          to: z.looseObject({ destination: z.looseObject({ type: z.string() }) }),
        }),
      ),
      ...{ from: knownAsset, to: knownAsset },
    }),
};

export function createRule(state: State, account: AccountState, body: Wire<ConversionRuleCreateBody>): WireRule {
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
    ...{ id, ...(name === undefined ? {} : { name }), status, current_uses: 0 },
    from: { asset: { ...assetRef(source), ...(amount === undefined ? {} : { amount }) }, via: from.via },
    to: { asset: assetRef(destination), destination: place },
    ...{ inbound: openInbound(state, order), created_at: now, updated_at: now },
  };
  account.records.of(conversionRules).set(id, { rule, from: assetKey(source), to: assetKey(destination) });
  return rule;
}

/** A deposit for a rule: an active rule converts it, otherwise it is credited. */
export function depositForRule(
  state: State,
  account: AccountState,
  { rule, from, to }: RuleRecord,
  amount: Decimal,
): AccountConversion | undefined {
  const asset = state.catalogue.keyed(from);
  if (rule.status !== 'active') {
    credit(state, account, { asset, amount, reference: rule.id });
    return undefined;
  }
  rule.current_uses += 1;
  const record = startConversion(state, account, {
    ...{ from: asset, to: state.catalogue.keyed(to), destination: rule.to.destination },
    ...{ source: { type: 'deposit', via: rule.from.via }, more: { conversion_rule_id: rule.id } },
  });
  depositArrived(state, account, record, amount);
  return record;
}

export function setRuleStatus(state: State, { rule }: RuleRecord, status: string): WireRule {
  rule.status = status;
  rule.updated_at = timestamp(state.clock.now());
  return rule;
}
