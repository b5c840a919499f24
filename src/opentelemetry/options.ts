import type { MeterProvider, SpanContext, TracerProvider } from '@opentelemetry/api';
import { hasMethod } from '../util/members.js';
import { BOOLEAN, FUNCTION, type Rule, type Rules, rule } from '../util/options.js';
import type { WebhookEvent } from '../webhooks/event.js';

/**
 * Options of `opentelemetryHooks()`. An unknown or wrong one throws a `ConfigurationError`.
 *
 * @example
 * import { metrics, trace } from '@opentelemetry/api';
 *
 * const tracerProvider = trace.getTracerProvider();
 * const hooks = opentelemetryHooks({ tracerProvider, meterProvider: metrics.getMeterProvider() });
 * const client = new PartnerClient({ hooks });
 */
export interface OpentelemetryHooksOptions {
  /** Default: the global one, even if it is registered later. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default: the one that is global when the first call ends. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * If true, the client sends the headers of the global propagator to the service, for example
   * `traceparent`, and baggage if your propagator writes it. Default false: no header is added.
   */
  readonly propagate?: boolean | undefined;
}

/**
 * Options of `opentelemetryWebhooks()`. An unknown or wrong one throws a `ConfigurationError`.
 *
 * @example
 * import { trace } from '@opentelemetry/api';
 *
 * const traced = opentelemetryWebhooks({ tracerProvider: trace.getTracerProvider() });
 * const receive = nodeWebhookHandler({ secret, onEvent: traced((event) => settle(event)) });
 */
export interface OpentelemetryWebhooksOptions {
  /** Default: the global one, even if it is registered later. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Returns the span that caused an event, to which the span of its delivery is linked; undefined
   * when it is not known. Default: the call of this process that last created or changed what the
   * event is about. Give a function if another process makes the calls. If it fails, then there is
   * no link, and a process warning says so once.
   *
   * @example
   * const traced = opentelemetryWebhooks({
   *   // Stored by the process that made the call.
   *   causeOf: (event) => spanContexts.get(event.id ?? ''),
   * });
   */
  readonly causeOf?: ((event: WebhookEvent) => SpanContext | undefined | Promise<SpanContext | undefined>) | undefined;
}

const TRACER_PROVIDER: Rule = rule((value) => hasMethod(value, 'getTracer'), 'must be a TracerProvider');

export const HOOKS_RULES = {
  tracerProvider: TRACER_PROVIDER,
  meterProvider: rule((value) => hasMethod(value, 'getMeter'), 'must be a MeterProvider'),
  propagate: { ...BOOLEAN, default: false },
} satisfies Rules<OpentelemetryHooksOptions>;

export const WEBHOOKS_RULES = {
  tracerProvider: TRACER_PROVIDER,
  causeOf: FUNCTION,
} satisfies Rules<OpentelemetryWebhooksOptions>;
