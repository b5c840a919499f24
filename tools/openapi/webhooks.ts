/** The events of the service: what its deliveries look like to a receiver. */
import { RAMP_CALLBACK } from '../../src/sandbox/webhooks/delivery/payload.js';
import type { Payloads } from '../examples/payloads.js';
import type { JsonSchema } from '../schemas/components.js';
import type { Parts } from './parts.js';

/** Makes the part `webhooks` of a document: one delivery of each kind. */
export function describeWebhooks({ sources, output, parameters }: Parts, payloads: Payloads): JsonSchema {
  const kinds = sources.exported('src/webhooks/index.ts', 'WebhookEventData');
  const { properties } = output.membersOf(kinds);
  const headers = HEADERS.map(([name, header]) => parameters.named(name, header));
  return Object.fromEntries(
    Object.entries(properties).map(([kind, { description, ...data }]) => {
      const example = payloads.get(kind);
      if (example === undefined) throw new Error(`there is no payload of ${kind}`);
      const event = { kind, description: String(description), example: JSON.parse(example) };
      const isCallback = kind === RAMP_CALLBACK;
      return [kind, { post: isCallback ? callback(event, data) : delivery(event, data, headers) }];
    }),
  );
}

interface DescribedEvent {
  readonly kind: string;
  readonly description: string;
  readonly example: unknown;
}

function request({ kind, description, example }: DescribedEvent, schema: JsonSchema): JsonSchema {
  return {
    operationId: `webhook.${kind}`,
    summary: `Event ${kind}`,
    description,
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
  };
}

function callback(event: DescribedEvent, schema: JsonSchema): JsonSchema {
  return {
    ...request(event, schema),
    parameters: [
      {
        name: 'X-Signature',
        in: 'header',
        required: true,
        description: 'The HMAC-SHA256 of the raw body in hex. The HMAC key is the text of the secret.',
        schema: { type: 'string' },
      },
    ],
    responses: { '2XX': { description: 'Received.' } },
    'x-invented': ['The name of the event, since its payload has no kind, and the example.'],
  };
}

function delivery(event: DescribedEvent, data: JsonSchema, headers: readonly JsonSchema[]): JsonSchema {
  const description = `${event.description} The service shows no payload: every member of \`data\` may be missing.`;
  return {
    ...request({ ...event, description }, { anyOf: [enveloped(event.kind, data), flat(event.kind)] }),
    parameters: headers,
    responses: {
      '2XX': { description: 'Received. The service waits 30 s for it.' },
      default: {
        description: 'Not received: the service delivers the event again, for up to 5 minutes (an older edition).',
      },
    },
    'x-invented': ['The example, and so the members of `data` in it, is what the sandbox sends.'],
  };
}

const enveloped = (kind: string, data: JsonSchema): JsonSchema => ({
  description: 'The form with an envelope, whose `id` is that of the event.',
  type: 'object',
  properties: { id: { type: 'string' }, type: { type: 'string', const: kind }, data },
  required: ['type'],
});

const flat = (kind: string): JsonSchema => ({
  description: 'The flat form: the members of `data` stand beside the kind. An `id` is that of the resource.',
  type: 'object',
  properties: { event_type: { type: 'string', const: kind }, timestamp: { type: 'string' } },
  required: ['event_type'],
});

const HEADERS: readonly (readonly [name: string, header: JsonSchema])[] = [
  [
    'DeliverySignature',
    {
      name: 'X-Signature',
      in: 'header',
      required: true,
      description:
        '`t=<seconds since 1970>,v1=<hex>`, with several `v1` while secrets are rotated. `v1` is the HMAC-SHA256 of `t`, a point and the raw body, keyed with the signing secret, decoded from base64.',
      schema: { type: 'string' },
    },
  ],
  [
    'DeliveryKind',
    {
      name: 'X-Webhook-Event',
      in: 'header',
      description: 'The kind of the event. It is not signed.',
      schema: { type: 'string' },
    },
  ],
  [
    'DeliverySubscription',
    {
      name: 'X-Webhook-ID',
      in: 'header',
      description:
        'The id of the subscription, the same in every delivery to it. It is never the id of an event, and it is not signed.',
      schema: { type: 'string' },
    },
  ],
];
