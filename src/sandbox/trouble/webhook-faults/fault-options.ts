import { checkGiven, type Rules, rule } from '../../../util/options.js';
import { TIMES } from '../../core/basics/times.js';
import type { WebhookFaultOptions } from '../../webhooks/delivery/delivery-fault.js';
import { checkEffects, EFFECT_RULES } from '../../webhooks/delivery/effects.js';
import { isProbability } from '../faults/fault-options.js';

const TEXT = rule((value) => typeof value === 'string' && value !== '', 'must be text');

const RULES = {
  kind: TEXT,
  webhookId: TEXT,
  eventId: TEXT,
  times: TIMES,
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
