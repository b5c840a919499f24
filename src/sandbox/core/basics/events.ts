import type { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';

/** The kinds of events that the sandbox emits: all that the service documents. */
export type EventKind = (typeof WEBHOOK_KINDS)[number];

/** Gets each event as it is emitted. It writes down what it keeps: the data may change later. */
type EventListener = (kind: EventKind, data: unknown) => void;

/** Carries events from the resources that they are about to those who deliver them. */
export class Events {
  readonly #listeners: EventListener[] = [];

  /** `listener` gets each later event, for as long as the sandbox lives. */
  listen(listener: EventListener): void {
    this.#listeners.push(listener);
  }

  emit(kind: EventKind, data: unknown): void {
    for (const listener of this.#listeners) listener(kind, data);
  }
}
