import { type Context, context, createContextKey } from '@opentelemetry/api';

/**
 * The key of `suppressTracing` in `@opentelemetry/core`: a symbol that this text makes for the
 * whole process. Tracers make no span in a context with it, and propagators write no header.
 */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** The key of Sentry's scopes in a context. Its context manager copies them for each `with`. */
const SENTRY_SCOPES = createContextKey('sentry_scopes');

/** The mark of `Sentry.suppressTracing` on a scope: Sentry 11 reads no key of a context. */
const SENTRY_MARK = { __SENTRY_SUPPRESS_TRACING__: true };

interface SentryScopes {
  readonly scope?: { setSDKProcessingMetadata?(data: object): void };
}

/** Runs a function in a context in which instrumentation makes no spans. */
export function withoutTracing(inside: Context, run: () => void): void {
  context.with(inside.setValue(SUPPRESS_TRACING, true), () => {
    const scope = sentryScope(context.active());
    // Only a copy: a mark on the scope of the application would suppress the spans after this.
    if (scope !== undefined && scope !== sentryScope(inside)) scope.setSDKProcessingMetadata?.(SENTRY_MARK);
    run();
  });
}

const sentryScope = (from: Context): SentryScopes['scope'] =>
  (from.getValue(SENTRY_SCOPES) as SentryScopes | undefined)?.scope;
