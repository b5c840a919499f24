import { checkGiven, isCount, type Rules, rule } from '../../../util/options.js';
import type { WebhookFaultOptions } from '../../webhooks/delivery/delivery-fault.js';
import { checkEffects, EFFECT_RULES } from '../../webhooks/delivery/effects.js';
import { isProbability } from '../faults/fault-options.js';

const TEXT = rule((value) => typeof value === 'string' && value !== '', 'must be text');

const RULES = {
  kind: TEXT,
  webhookId: TEXT,
  eventId: TEXT,
  times: rule(
    (value) => isCount(value, 1) || value === 'always',
    "must be a whole number of 1 or more, or 'always'",
    (value) => (value === Number.POSITIVE_INFINITY ? 'always' : value),
  ),
  probability: rule(isProbability, 'must be above 0, at most 1'),
  ...EFFECT_RULES,
} satisfies Rules<WebhookFaultOptions>;

/**
 * Reads and checks the options of a webhook fault.
 *
 * @param method Start of an error's message.
 * @throws TypeError for an unknown or wrong option, or if nothing goes wrong.
 */
export function readWebhookFault(method: string, given: WebhookFaultOptions): WebhookFaultOptions {
  const options = checkGiven(method, given, RULES, TypeError);
  checkEffects(method, options);
  return options;
}
