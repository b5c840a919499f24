import '../util/supported-node.js';

import { type Hooks, IS_IDLE, type OwnHooks, SENDING } from '../events.js';
import { ConfigurationError } from '../partner-error.js';
import { checkOptions } from '../util/options.js';
import { Metrics } from './metrics.js';
import { HOOKS_RULES, type OpentelemetryHooksOptions } from './options.js';
import { Spans } from './spans.js';

export type { Hooks } from '../events.js';
export { ConfigurationError, isPartnerError, PartnerError } from '../partner-error.js';
export type { OpentelemetryHooksOptions, OpentelemetryWebhooksOptions } from './options.js';
export { opentelemetryWebhooks, type TracedHandler } from './webhooks.js';

/**
 * Returns hooks that create traces and metrics with OpenTelemetry: a span for each call with a
 * child for each attempt, and their counts and times. Needs the package `@opentelemetry/api`.
 *
 * Spans and metrics contain no id, query, header, body or error message. Your hooks, signer, nonce
 * source, secret and OTP functions run inside the span of their attempt, if a context manager is
 * registered. A failure of OpenTelemetry never changes a call, but causes one process warning.
 *
 * @example
 * const client = new PartnerClient({ hooks: opentelemetryHooks() });
 * // With hooks of your own: these run inside the spans.
 * const onEnd: Hooks['onEnd'] = ({ operation, outcome }) => console.log(operation, outcome);
 * const observed = new PartnerClient({ hooks: [opentelemetryHooks(), { onEnd }] });
 *
 * @throws ConfigurationError if an option is unknown or wrong.
 */
export function opentelemetryHooks(options: OpentelemetryHooksOptions = {}): Hooks {
  const place = 'opentelemetryHooks';
  const { tracerProvider, meterProvider, propagate } = checkOptions(place, options, HOOKS_RULES, ConfigurationError);
  const spans = new Spans(tracerProvider);
  const metrics = new Metrics(meterProvider);
  const hooks: OwnHooks = {
    [IS_IDLE]: () => {
      try {
        return !propagate && spans.isIdle && metrics.isIdle;
      } catch {
        // A provider that fails is reported by the hooks below.
        return false;
      }
    },
    [SENDING]: (callId, send) => spans.send({ callId }, send),
    run: (event, next) => spans.run(event, next),
    onRequest: (event) => spans.sent(event),
    onAttemptEnd: (event) => {
      try {
        spans.attemptEnded(event);
      } finally {
        metrics.attemptEnded(event);
      }
    },
    onRetry: (event) => spans.retries(event),
    onError: (event) => spans.failed(event),
    onApplied: (event) => spans.applied(event),
    onEnd: (event) => {
      try {
        spans.callEnded(event);
      } finally {
        metrics.callEnded(event);
      }
    },
    onClient: (client) => metrics.clientMade(client),
    ...(propagate ? { headers: (event) => spans.headers(event) } : {}),
  };
  return hooks;
}
