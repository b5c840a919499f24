import type { ApiPromise, RequestOptions } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { type AssetInput, type AssetRef, assetRefInput, CONVERTED_ASSETS, quoteSideInput } from '../common.js';
import { ACCOUNT, defineOperation } from '../define-operation.js';
import { Resource } from '../resource.js';
import {
  type ConversionAsset,
  type ConversionDestination,
  conversionAsset,
  destination,
  destinationInput,
} from './conversions.js';
import { type Inbound, inbound } from './inbound.js';

/** `active` rules convert. The set is open. */
export type ConversionRuleStatus = 'active' | 'paused' | (string & {});

/** A standing order: what arrives at its `inbound` is converted. */
export interface ConversionRule {
  id: string;
  name?: string | undefined;
  status?: ConversionRuleStatus | undefined;
  /** Number of conversions that the rule has started. */
  current_uses?: number | undefined;
  /** The money that arrives. */
  from?: { asset?: ConversionAsset | undefined; via?: string | undefined } | undefined;
  /** The money that it becomes, and its destination. */
  to?: { asset?: ConversionAsset | undefined; destination?: ConversionDestination | undefined } | undefined;
  /** Send the money here. */
  inbound?: Inbound | undefined;
  /** ISO 8601, UTC. */
  created_at?: string | undefined;
  /** ISO 8601, UTC. */
  updated_at?: string | undefined;
}

/** The rule to create. */
export interface ConversionRuleCreateBody {
  /** The money that will arrive. `via` is a network or rail, for example `bitcoin`, `sepa`. */
  from: { asset: AssetInput; via: string };
  to: { asset: AssetRef; destination: ConversionDestination };
  /** At most 256 characters. */
  name?: string | undefined;
  /** Default `active`. */
  status?: ConversionRuleStatus | undefined;
}

const createBody = s.input<ConversionRuleCreateBody>()(() =>
  z.object({
    from: z.object({ asset: quoteSideInput(), via: z.string() }),
    to: z.object({ asset: assetRefInput(), destination: destinationInput() }),
    name: z.optional(s.text(0, 256)),
    status: s.withDefault('active', s.oneOf(['active', 'paused'])),
  }),
);

const conversionRule = s.output<ConversionRule>()(() =>
  z.looseObject({
    id: z.string(),
    name: s.optionalText(),
    status: s.optionalText(),
    current_uses: z.optional(z.number()),
    from: z.optional(z.looseObject({ asset: z.optional(conversionAsset()), via: s.optionalText() })),
    to: z.optional(z.looseObject({ asset: z.optional(conversionAsset()), destination: z.optional(destination()) })),
    inbound: z.optional(inbound()),
    created_at: s.optionalText(),
    updated_at: s.optionalText(),
  }),
);

export const createConversionRule = defineOperation(
  'accounts.conversionRules.create',
  `POST ${ACCOUNT}/conversion-rules`,
  {
    body: createBody,
    answer: s.data(conversionRule),
    correlation: CONVERTED_ASSETS,
    retrySafety: 'keyed',
  },
);

/** `client.accounts.conversionRules`: standing orders that convert what arrives. */
export class ConversionRules extends Resource {
  /**
   * Creates a rule. Send money to its `inbound`: the rule converts it. Sent with an
   * `Idempotency-Key`. The service does not document how to read or change a rule.
   *
   * @example
   * const body = {
   *   from: { asset: { symbol: 'USD', type: 'fiat' }, via: 'sepa' },
   *   to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
   * };
   * const idempotencyKey = idempotencyKeyFor('savings', 'accounts.conversionRules.create', accountId);
   * const rule = await client.accounts.conversionRules.create(accountId, body, { idempotencyKey });
   * console.log(rule.inbound?.routing?.iban);
   *
   * @stability documented
   * @param accountId 14 to 42 characters.
   * @throws RequestValidationError when a value breaks a rule, and the errors of every call.
   */
  create(accountId: string, body: ConversionRuleCreateBody, options?: RequestOptions): ApiPromise<ConversionRule> {
    return this.api.call(createConversionRule, [accountId, body], options);
  }
}
