import * as z from 'zod/mini';
import { count, countAboveZero } from '../basics/checked.js';
import type { RequestQuota } from './quota-terms.js';
import { type ApiKeyScope, SCOPES } from './scopes.js';
import { MAX_NONCE_WINDOW } from './used-nonces.js';

/** Options of another API key. */
export interface CredentialOptions {
  /** At least one. Any other operation gets 403. Default: all. */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
  /**
   * How many requests it may make per window. Default: the `quota` of the settings.
   *
   * @example
   * const quota = { requests: 100, perMs: 60_000 };
   * const { apiKey, apiSecret } = sandbox.keys.issue({ label: 'reports', quota });
   */
  readonly quota?: RequestQuota | undefined;
  /**
   * Number of higher nonces that may have been used before a lower one, 0 to 1,000. Each nonce is
   * accepted once. Default 0: nonces rise strictly.
   */
  readonly nonceWindow?: number | undefined;
  /** Its name for people, 1 to 100 characters. `keys.list` shows it. */
  readonly label?: string | undefined;
}

/** A longer label is rejected. */
const MAX_LABEL_LENGTH = 100;

export const scopeList = z.array(z.enum(SCOPES)).check(z.minLength(1));
export const requestQuota = z.strictObject({ requests: countAboveZero, perMs: countAboveZero });
export const nonceWindow = count.check(z.maximum(MAX_NONCE_WINDOW));

export const credentialOptions = z.strictObject({
  scopes: z.optional(scopeList),
  quota: z.optional(requestQuota),
  nonceWindow: z.optional(nonceWindow),
  label: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_LABEL_LENGTH))),
});
