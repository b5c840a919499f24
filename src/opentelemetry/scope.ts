import {
  createNoopMeter,
  type Meter,
  type MeterProvider,
  ProxyTracerProvider,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { VERSION } from '../version.js';

/** The name of the instrumentation in traces and metrics. */
const NAME = 'partner-sdk';

/**
 * Returns a function that returns the tracer, or undefined until the global provider, which may be
 * registered later, has one.
 */
export function tracerSource(provider: TracerProvider | undefined): () => Tracer | undefined {
  let from: TracerProvider | undefined;
  let tracer: Tracer | undefined;
  return () => {
    const current = provider ?? trace.getTracerProvider();
    if (tracer !== undefined && from === current) return tracer;
    from = current;
    // The provider of the API itself, before an SDK has registered its own.
    const isEmpty = current instanceof ProxyTracerProvider && current.getDelegateTracer(NAME, VERSION) === undefined;
    tracer = isEmpty ? undefined : current.getTracer(NAME, VERSION);
    return tracer;
  };
}

/** Returns the meter; undefined for that of the API itself, which drops what it is given. */
export function meterOf(provider: MeterProvider): Meter | undefined {
  const meter = provider.getMeter(NAME, VERSION);
  return meter === createNoopMeter() ? undefined : meter;
}
