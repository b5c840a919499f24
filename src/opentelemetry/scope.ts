import { type Meter, type MeterProvider, metrics, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { VERSION } from '../version.js';

/** The name of the instrumentation in traces and metrics. */
const NAME = 'partner-sdk';

/** Returns the tracer. Asked for each span: the global provider may be registered later. */
export const tracerOf = (provider: TracerProvider | undefined): Tracer =>
  (provider ?? trace.getTracerProvider()).getTracer(NAME, VERSION);

export const meterOf = (provider: MeterProvider | undefined): Meter =>
  (provider ?? metrics.getMeterProvider()).getMeter(NAME, VERSION);
