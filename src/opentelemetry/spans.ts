import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  INVALID_SPANID,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type * as events from '../events.js';
import * as names from './attributes.js';
import { remember } from './causes.js';
import { tracerSource } from './scope.js';

type Traced = Readonly<{ callId: string }>;

interface AttemptSpan {
  readonly span: Span;
  readonly context: Context;
  /** The context in which the span was begun. */
  readonly parent: Context;
}

interface CallSpans {
  readonly span: Span;
  readonly context: Context;
  attempt: AttemptSpan | undefined;
}

/** Creates a span for each call, and in it one for each attempt. */
export class Spans {
  readonly #tracer: () => Tracer | undefined;
  /** The calls under way, by `callId`. */
  readonly #calls = new Map<string, CallSpans>();

  constructor(provider: TracerProvider | undefined) {
    this.#tracer = tracerSource(provider);
  }

  /** True while there is no provider. */
  get isIdle(): boolean {
    return this.#tracer() === undefined;
  }

  /**
   * Begins the span of a call or attempt, and runs `next` inside it. It passes no promise on: Node
   * 20 takes a microsecond for each while an `AsyncLocalStorage` is in use.
   */
  run(event: events.RunEvent, next: () => Promise<void>): void {
    const tracer = this.#tracer();
    if (tracer === undefined) {
      void next();
      return;
    }
    const inside = event.kind === 'call' ? this.#beginCall(tracer, event) : this.#beginAttempt(tracer, event);
    void context.with(inside, next);
  }

  #beginCall(tracer: Tracer, event: events.RunEvent): Context {
    const parent = context.active();
    const options = { kind: SpanKind.INTERNAL, attributes: names.callAttributes(event) };
    const span = tracer.startSpan(event.operation, options, parent);
    const inside = trace.setSpan(parent, span);
    this.#calls.set(event.callId, { span, context: inside, attempt: undefined });
    return inside;
  }

  #beginAttempt(tracer: Tracer, event: events.AttemptEvent): Context {
    const call = this.#calls.get(event.callId);
    const { method, path, attempt } = event;
    const attributes = names.attemptAttributes(event);
    if (attempt > 1) attributes[names.RESEND_COUNT] = attempt - 1;
    const active = context.active();
    // Without a context manager nothing is active.
    const parent = call !== undefined && trace.getSpan(active) === undefined ? call.context : active;
    const name = path === '' ? method : `${method} ${path}`;
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    const inside = trace.setSpan(parent, span);
    if (call !== undefined) call.attempt = { span, context: inside, parent };
    return inside;
  }

  /** Returns the headers that carry the attempt's span to the service. */
  headers({ callId }: Traced): Record<string, string> {
    const headers: Record<string, string> = {};
    const attempt = this.#calls.get(callId)?.attempt;
    if (attempt === undefined) return headers;
    // Sentry's propagator writes only the active context. Its manager derives that from the given
    // one.
    context.with(attempt.context, () => {
      const active = context.active();
      propagation.inject(trace.getSpan(active) === attempt.span ? active : attempt.context, headers);
    });
    return headers;
  }

  /**
   * Sends an attempt. Its span stands for the request: instrumentation of the HTTP client creates
   * none beside it.
   */
  send({ callId }: Traced, send: () => void): void {
    const attempt = this.#calls.get(callId)?.attempt;
    if (attempt === undefined || !isReal(attempt)) send();
    else withoutTracing(attempt.context, send);
  }

  sent({ callId, queueTime, laneTime }: events.RequestEvent): void {
    const span = this.#calls.get(callId)?.attempt?.span;
    span?.addEvent(names.TURN_EVENT, { [names.QUEUE_MS]: queueTime, [names.LANE_MS]: laneTime });
  }

  attemptEnded({ callId, status, reason }: events.AttemptEndEvent): void {
    const call = this.#calls.get(callId);
    const span = call?.attempt?.span;
    if (call === undefined || span === undefined) return;
    call.attempt = undefined;
    if (status !== undefined) span.setAttribute(names.STATUS, status);
    if (reason !== undefined) {
      span.setAttribute(names.REASON, reason);
      fail(span, names.errorTypeOf(status, reason));
    }
    span.end();
  }

  retries({ callId, reason, status, delayMs }: events.RetryEvent): void {
    const attributes: Attributes = { [names.REASON]: reason, [names.DELAY_MS]: delayMs };
    if (status !== undefined) attributes[names.STATUS] = status;
    this.#calls.get(callId)?.span.addEvent(names.RETRY_EVENT, attributes);
  }

  applied({ callId, ids }: events.AppliedEvent): void {
    const span = this.#calls.get(callId)?.span;
    if (span !== undefined) remember(ids, span.spanContext());
  }

  /** Only what reaches the caller is an error: not a page that its loop has left. */
  failed({ callId, error }: Traced & { readonly error: Error }): void {
    const span = this.#calls.get(callId)?.span;
    if (span !== undefined) fail(span, error.name);
  }

  callEnded(event: events.EndEvent): void {
    const { callId, attempts } = event;
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    call.span.setAttributes({ ...names.outcomeOf(event), [names.ATTEMPTS]: attempts });
    call.span.end();
  }
}

/**
 * The key of `suppressTracing` in `@opentelemetry/core`: a symbol that this string identifies in
 * the whole process. Tracers create no span in a context with it, and propagators write no header.
 */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** The key of Sentry's scopes in a context. Its context manager copies them for each `with`. */
const SENTRY_SCOPES = createContextKey('sentry_scopes');

/** The mark of `Sentry.suppressTracing` on a scope: Sentry 11 reads no key of a context. */
const SENTRY_MARK = { __SENTRY_SUPPRESS_TRACING__: true };

interface SentryScopes {
  readonly scope?: { setSDKProcessingMetadata?(data: object): void };
}

const sentryScope = (from: Context): SentryScopes['scope'] =>
  (from.getValue(SENTRY_SCOPES) as SentryScopes | undefined)?.scope;

/** Runs a function in a context in which instrumentation creates no spans. */
function withoutTracing(inside: Context, run: () => void): void {
  context.with(inside.setValue(SUPPRESS_TRACING, true), () => {
    const scope = sentryScope(context.active());
    // Only a copy: a mark on the scope of the application would suppress the spans after this.
    if (scope !== undefined && scope !== sentryScope(inside)) scope.setSDKProcessingMetadata?.(SENTRY_MARK);
    run();
  });
}

/** False for the span of a tracer that creates none: it has the id of its parent, or none. */
function isReal({ span, parent }: AttemptSpan): boolean {
  const { spanId } = span.spanContext();
  return spanId !== INVALID_SPANID && spanId !== trace.getSpanContext(parent)?.spanId;
}

/** No error message is shown: it may quote the service, and so an id. */
export function fail(span: Span, type: string): void {
  span.setAttribute(names.ERROR_TYPE, type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
