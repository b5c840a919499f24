import type { Attributes, ObservableResult } from '@opentelemetry/api';

/** As OpenTelemetry calls what exceeds a limit of kinds. */
const OVERFLOW: Attributes = { 'otel.metric.overflow': true };

/** Kinds that are counted apart. What is beyond counts as one. */
const MAX_KINDS = 2_000;

/** A count for each kind of attributes: adding here costs less than an SDK's counter does. */
export class Counts {
  readonly #counts = new Map<Attributes, number>();

  /** @param kind The same object for all that counts together. */
  add(count: number, kind: Attributes): void {
    const key = this.#counts.has(kind) || this.#counts.size < MAX_KINDS ? kind : OVERFLOW;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  report(result: ObservableResult): void {
    for (const [kind, count] of this.#counts) result.observe(count, kind);
  }
}
