import type { Tracer } from '@opentelemetry/api';
import { metrics, trace } from '@opentelemetry/api';
import { type Hooks, PartnerClient } from 'partner-sdk';
import { opentelemetryHooks, opentelemetryWebhooks } from 'partner-sdk/opentelemetry';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';

const telemetry: Hooks = opentelemetryHooks({
  tracerProvider: trace.getTracerProvider(),
  meterProvider: metrics.getMeterProvider(),
  propagate: false,
});
export const client = new PartnerClient({ hooks: [telemetry, { onEnd: ({ outcome }) => outcome }] });
// @ts-expect-error: no such option.
opentelemetryHooks({ propagte: true });

const inSpan = opentelemetryWebhooks({
  causeOf: (event) => (event.id === undefined ? undefined : trace.getActiveSpan()?.spanContext()),
});
export const handler = nodeWebhookHandler({
  secret: 'c2VjcmV0',
  on: { 'quote.executed': inSpan((event) => event.data.status?.length) },
  onEvent: inSpan((event) => event.raw),
});
export const tracer: Tracer = trace.getTracer('application');
