import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';

/** A place that takes money from outside: an account number of a bank rail, or an address. */
export interface Inbound {
  id: string;
  /** Network or rail, for example `bitcoin`, `sepa`. */
  via?: string | undefined;
  status?: 'active' | (string & {}) | undefined;
  lifecycle?: 'reusable' | (string & {}) | undefined;
  /** The account number of a bank rail. */
  routing?: InboundRouting | undefined;
  /** The address on a network. */
  address?: string | undefined;
  /** To be given with each payment to `address`. */
  memo?: string | undefined;
  /** The rule that converts what arrives. */
  conversion_rule_id?: string | undefined;
  /** ISO 8601, UTC. */
  created_at?: string | undefined;
}

/** An account number, in the form of its rail. Other members may be there. */
export interface InboundRouting {
  iban?: string | undefined;
  bic?: string | undefined;
  routing_number?: string | undefined;
  account_number?: string | undefined;
  beneficiary_name?: string | undefined;
  readonly [member: string]: unknown;
}

const routing = () =>
  z.looseObject({
    iban: s.optionalText(),
    bic: s.optionalText(),
    routing_number: s.optionalText(),
    account_number: s.optionalText(),
    beneficiary_name: s.optionalText(),
  });

export const inbound = () =>
  z.looseObject({
    id: z.string(),
    via: s.optionalText(),
    status: s.optionalText(),
    lifecycle: s.optionalText(),
    routing: z.optional(routing()),
    address: s.optionalText(),
    memo: s.optionalText(),
    conversion_rule_id: s.optionalText(),
    created_at: s.optionalText(),
  });
