import { redactor } from '../../redaction/redact.js';
import type { WebhookTest } from '../../resources/webhooks.js';
import type { EventKind } from '../core/basics/events.js';
import type { Random } from '../core/basics/random.js';
import { timestamp } from '../core/clock/clock.js';
import type { MadeAttempt } from './attempt-maker.js';
import { type Delivery, newDelivery } from './delivery/delivery.js';
import { payloadOf } from './delivery/payload.js';
import type { SubscriptionRecord } from './delivery/subscriptions.js';

/** Maximum number of bytes of a response that a test reads. It shows 1,000 characters. */
export const MAX_READ_BYTES = 4096;

const TEST_KIND = 'webhook.test' satisfies EventKind;

/** The data of a test event. The service shows this text in a flat test payload. */
export const TEST_DATA = { message: 'This is a test webhook event to verify your endpoint configuration.' };

const OF_THE_SEED = 'the sandbox sends nothing to the webhooks of its seed: register one of your own';

/** Makes the delivery of a test, for which no attempt is scheduled. */
export function testDelivery({ subscription, form }: SubscriptionRecord, random: Random, at: number): Delivery {
  const event = { eventId: `evt_${random.uuid()}`, type: TEST_KIND };
  const body = payloadOf(form, { ...event, data: TEST_DATA, timestamp: timestamp(at) });
  return newDelivery({ id: `dlv_${random.uuid()}`, webhookId: subscription.id, ...event, at, body });
}

/** Result of a test of a webhook of the seed, which receives nothing. */
export function untested(delivery: Delivery): WebhookTest {
  return { result: 'failure', test_id: testIdOf(delivery), payload_sent: delivery.body, error_message: OF_THE_SEED };
}

const testIdOf = ({ eventId }: Delivery): string => eventId.replace('evt_', 'test_');

/** `delivery`: its value after the attempt. */
export function testResult(delivery: Delivery, made: MadeAttempt): WebhookTest {
  const { attempt, answered, signature, hidden } = made;
  const isDelivered = delivery.status === 'delivered';
  return {
    result: isDelivered ? 'success' : 'failure',
    test_id: testIdOf(delivery),
    payload_sent: made.body,
    ...(attempt.status === undefined ? {} : { http_status: attempt.status, response_body: redactor(hidden)(answered) }),
    error_message: isDelivered ? null : (attempt.error ?? `the receiver answered ${attempt.status}`),
    ...(signature === undefined ? {} : { signature_header: signature }),
  };
}
