import { context, propagation, SpanKind } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect } from 'vitest';

/** Registers what every application of OpenTelemetry registers, for the tests of one file. */
export function registered(): void {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  afterAll(() => {
    context.disable();
    propagation.disable();
  });
}

/** Providers of both kinds, and what they have exported. */
export function telemetry() {
  const spanExporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const spans = (): ReadableSpan[] => spanExporter.getFinishedSpans();
  return {
    tracerProvider,
    meterProvider,
    spans,
    /** The spans of one call, and then of its attempts, in their order. */
    ofOneCall: (): ReadableSpan[] => [
      ...spans().filter(({ kind }) => kind === SpanKind.INTERNAL),
      ...spans().filter(({ kind }) => kind === SpanKind.CLIENT),
    ],
    async metrics(): Promise<ReadonlyMap<string, MetricData>> {
      metricExporter.reset();
      await meterProvider.forceFlush();
      const all = metricExporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
      return new Map(all.flatMap(({ metrics }) => metrics.map((metric) => [metric.descriptor.name, metric])));
    },
    async close(): Promise<void> {
      await tracerProvider.shutdown();
      await meterProvider.shutdown();
    },
  };
}

export function only<T>(items: readonly T[]): T {
  expect(items).toHaveLength(1);
  return items[0] as T;
}

export const numbers = (metric: MetricData | undefined): DataPoint<number>[] =>
  (metric?.dataPoints ?? []) as DataPoint<number>[];
export const histograms = (metric: MetricData | undefined): DataPoint<Histogram>[] =>
  (metric?.dataPoints ?? []) as DataPoint<Histogram>[];
