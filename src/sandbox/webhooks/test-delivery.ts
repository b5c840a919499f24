import { redactor } from '../../redaction/redact.js';
import type { WebhookTest } from '../../resources/webhooks.js';
import type { EventKind } from '../core/basics/events.js';
import type { Random } from '../core/basics/random.js';
import type { MadeAttempt } from './attempt-maker.js';
import type { Delivery } from './delivery/delivery.js';

/**
 * Maximum number of bytes of the receiver's answer that a test reads. It shows 1,000 characters.
 */
export const MAX_SHOWN_BYTES = 1024;

const TEST_KIND = 'webhook.test' satisfies EventKind;

/** Payload of a test, in the flat form that the service is known to send. */
const TEST_BODY = JSON.stringify({
  event_type: TEST_KIND,
  message: 'This is a test webhook event to verify your endpoint configuration.',
});

const OF_THE_SEED = 'the sandbox sends nothing to the webhooks of its seed: register one of your own';

/** Makes the delivery of a test, for which no attempt is scheduled. */
export function testDelivery(webhookId: string, random: Random): Delivery {
  const eventId = `test_${random.uuid()}`;
  const common = { id: `dlv_${random.uuid()}`, webhookId, eventId, type: TEST_KIND, body: TEST_BODY };
  return { ...common, status: 'pending', reason: undefined, attempts: [], nextAttemptAt: undefined };
}

/** Result for a webhook that receives nothing. */
export function untested({ eventId }: Delivery): WebhookTest {
  return { result: 'failure', test_id: eventId, payload_sent: TEST_BODY, error_message: OF_THE_SEED };
}

/** `delivery`: its value after the attempt. */
export function testResult({ status, eventId }: Delivery, made: MadeAttempt): WebhookTest {
  const { attempt, answered, signature, hidden } = made;
  const isDelivered = status === 'delivered';
  return {
    ...{ result: isDelivered ? 'success' : 'failure', test_id: eventId, payload_sent: made.body },
    ...(attempt.status === undefined
      ? {}
      : { http_status: attempt.status, response_body: redactor(hidden)(answered.slice(0, MAX_SHOWN_BYTES)) }),
    error_message: isDelivered ? null : (attempt.error ?? `the receiver answered ${attempt.status}`),
    ...(signature === undefined ? {} : { signature_header: signature }),
  };
}
