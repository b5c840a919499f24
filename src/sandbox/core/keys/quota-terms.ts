import { objectOf, type Rule, type Rules, wholeNumber } from '../../../util/options.js';

/** A number of requests that each API key may make in a time. */
export interface RequestQuota {
  /** Requests of one window, 1 or more. */
  readonly requests: number;
  /**
   * Length of a window in ms, 1 or more. A window starts with the first request after the previous
   * one has ended.
   */
  readonly per: number;
}

export const QUOTA_RULES = {
  requests: { ...wholeNumber(1), required: true },
  per: { ...wholeNumber(1), required: true },
} satisfies Rules<RequestQuota>;

export const QUOTA_RULE: Rule = objectOf(QUOTA_RULES);
