import {
  type Attributes,
  context,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ConfigurationError } from '../partner-error.js';
import { WEBHOOK_KINDS } from '../resources/webhook-kinds.js';
import { ownMember } from '../util/members.js';
import { checkOptions } from '../util/options.js';
import { runSafely } from '../util/run-safely.js';
import type { WebhookEvent, WebhookObject } from '../webhooks/event.js';
import * as names from './attributes.js';
import { causeOf } from './causes.js';
import { type OpentelemetryWebhooksOptions, WEBHOOKS_RULES } from './options.js';
import { tracerSource } from './scope.js';
import { fail } from './spans.js';

/** The kinds that are shown by name. Any other is a string of the sender. */
const KNOWN: ReadonlySet<string> = new Set([...WEBHOOK_KINDS, 'ramp.transaction_updated']);

/** Wraps a function that handles events: `on: { 'quote.executed': traced((event) => …) }`. */
export type TracedHandler = <Event extends WebhookEvent>(
  handle: (event: Event) => unknown,
) => (event: Event) => Promise<unknown>;

/**
 * Returns a function that wraps your webhook handlers, so that each verified delivery is a span.
 * The span is linked to the call that caused the event, if that is known.
 *
 * The handler runs inside the span. What it throws is rethrown, so that the service delivers again.
 * No id or content of an event is in the span.
 *
 * @example
 * const traced = opentelemetryWebhooks();
 * const receive = nodeWebhookHandler({ secret, onEvent: traced((event) => settle(event)) });
 *
 * @throws ConfigurationError if an option is unknown or wrong.
 */
export function opentelemetryWebhooks(options: OpentelemetryWebhooksOptions = {}): TracedHandler {
  const place = 'opentelemetryWebhooks';
  const { tracerProvider, causeOf: given } = checkOptions(place, options, WEBHOOKS_RULES, ConfigurationError);
  const tracer = tracerSource(tracerProvider);
  const findCause = given ?? causeInProcess;
  /** Of this wrapper each kind of failure is reported once. */
  const owner = {};
  return (handle) => async (event) => {
    const cause = await resultOf(() => findCause(event), 'the function causeOf', owner);
    const span = await resultOf(() => begin(tracer(), event, cause), TRACER, owner);
    try {
      // The webhook handler looks at the result: see `WebhookHandling.onEvent`.
      return await (span === undefined
        ? handle(event)
        : context.with(trace.setSpan(context.active(), span), () => handle(event)));
    } catch (error) {
      if (span !== undefined)
        runSafely(() => fail(span, error instanceof Error ? error.name : names.OTHER), TRACER, owner);
      throw error;
    } finally {
      if (span !== undefined) runSafely(() => span.end(), TRACER, owner);
    }
  };
}

const TRACER = 'the tracer';

function begin(tracer: Tracer | undefined, event: WebhookEvent, cause: SpanContext | undefined): Span | undefined {
  const isKnown = KNOWN.has(event.type);
  const attributes: Attributes = { [names.EVENT_TYPE]: isKnown ? event.type : names.OTHER };
  const links: Link[] = cause === undefined ? [] : [{ context: cause }];
  const options: SpanOptions = { kind: SpanKind.CONSUMER, attributes, links };
  return tracer?.startSpan(isKnown ? `webhook ${event.type}` : 'webhook', options, context.active());
}

/** Finds the span that caused an event, by its `id` or, for example, its `quote_id`. */
function causeInProcess({ type, data }: WebhookEvent): SpanContext | undefined {
  const ids = ['id', `${type.split('.')[0]}_id`].map((name) => ownMember(data as WebhookObject, name));
  for (const id of ids) if (typeof id === 'string') return causeOf(id);
  return undefined;
}

/** The result of a function that may fail; undefined then, and a process warning says so once. */
async function resultOf<T>(run: () => T, what: string, owner: object): Promise<Awaited<T> | undefined> {
  try {
    return await run();
  } catch (error) {
    runSafely(() => Promise.reject(error), what, owner);
    return undefined;
  }
}
