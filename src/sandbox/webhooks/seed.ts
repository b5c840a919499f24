import { ALPHABETS, type Random } from '../core/basics/random.js';
import { DAY_MS, timestamp } from '../core/clock/clock.js';
import type { SubscriptionRecord } from './delivery/subscriptions.js';

const SUBSCRIPTION_COUNT = 32;

const EVENT_SETS: readonly [string[], ...string[][]] = [
  ['quote.executed'],
  ['conversion.withdrawal_completed', 'conversion.quote_execution_failed'],
  ['quote.executed', 'conversion.withdrawal_completed', 'conversion.quote_execution_failed'],
];

/** Makes subscriptions of other environments, newest first. They receive nothing. */
export function seedWebhooks(random: Random, now: number): SubscriptionRecord[] {
  return Array.from({ length: SUBSCRIPTION_COUNT }, (_, index) => {
    const created = now - index * 3 * DAY_MS - random.integer(DAY_MS, 3 * DAY_MS);
    const subscription = {
      id: `ep_${random.text(24, ALPHABETS.alphanumeric)}`,
      url: `https://hooks.partner.example/v1/events/${SUBSCRIPTION_COUNT - index}`,
      description: index % 4 === 3 ? '' : `Environment ${SUBSCRIPTION_COUNT - index}`,
      ...(index % 7 === 5 ? { disabled: true } : {}),
      created_at: microseconds(created, random),
      updated_at: microseconds(created + random.integer(0, DAY_MS), random),
      events: [...random.pick(EVENT_SETS)],
    };
    return {
      subscription,
      sequence: SUBSCRIPTION_COUNT - index,
      form: 'enveloped',
      scheme: 'timestamped',
      secrets: [],
    };
  });
}

function microseconds(ms: number, random: Random): string {
  return timestamp(ms).replace('Z', `${random.text(3, '0123456789')}Z`);
}
