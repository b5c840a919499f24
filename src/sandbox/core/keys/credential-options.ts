import { checkGiven, type Rules, rule, wholeNumber } from '../../../util/options.js';
import { QUOTA_RULE, type RequestQuota } from './quota-terms.js';
import { type ApiKeyScope, SCOPES_RULE } from './scopes.js';
import { MAX_NONCE_WINDOW } from './used-nonces.js';

/** Options of another API key. */
export interface CredentialOptions {
  /** At least one. An operation outside them is answered 403. Default: all. */
  readonly scopes?: readonly ApiKeyScope[] | undefined;
  /**
   * Requests that it may make in a time. Default: the `quota` of `createSandbox`.
   *
   * @example
   * const quota = { requests: 100, per: 60_000 };
   * const { apiKey, apiSecret } = sandbox.keys.issue({ label: 'reports', quota });
   */
  readonly quota?: RequestQuota | undefined;
  /**
   * Number of higher nonces that may have been used before a lower one is, 0 to 1,000. Each nonce
   * is accepted once. Default 0: nonces rise strictly.
   */
  readonly nonceWindow?: number | undefined;
  /** Its name for people, 1 to 100 characters. `keys.list` shows it. */
  readonly label?: string | undefined;
}

/** A longer label is refused. */
const MAX_LABEL_LENGTH = 100;

const isLabel = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LABEL_LENGTH;

const CREDENTIAL_RULES = {
  scopes: SCOPES_RULE,
  quota: QUOTA_RULE,
  nonceWindow: wholeNumber(0, MAX_NONCE_WINDOW),
  label: rule(isLabel, `must be text of 1 to ${MAX_LABEL_LENGTH} characters`),
} satisfies Rules<CredentialOptions>;

/** Reads the options of a new API key. Throws a `TypeError` that names the first wrong one. */
export function readCredentialOptions(method: string, options: CredentialOptions): CredentialOptions {
  return checkGiven(method, options, CREDENTIAL_RULES, TypeError);
}
