import { type Meter, type MeterProvider, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { VERSION } from '../version.js';

/** The name of the instrumentation in traces and metrics. */
const NAME = 'partner-sdk';

/** Returns a function that gives the tracer: that of the global provider may come to be later. */
export function tracerSource(provider: TracerProvider | undefined): () => Tracer {
  let from: TracerProvider | undefined;
  let tracer: Tracer | undefined;
  return () => {
    const current = provider ?? trace.getTracerProvider();
    if (tracer !== undefined && from === current) return tracer;
    from = current;
    tracer = current.getTracer(NAME, VERSION);
    return tracer;
  };
}

export const meterOf = (provider: MeterProvider): Meter => provider.getMeter(NAME, VERSION);
