import type { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';

/** The kinds of events that the sandbox emits: all kinds that the service documents. */
export type EventKind = (typeof WEBHOOK_KINDS)[number];

/** Called with each event as it is emitted. The data may change later, so a listener copies it. */
type EventListener = (kind: EventKind, data: unknown) => void;

/** Carries events from the resources to those who deliver them. */
export class Events {
  readonly #listeners: EventListener[] = [];

  /** `listener` gets each later event, for as long as the sandbox runs. */
  listen(listener: EventListener): void {
    this.#listeners.push(listener);
  }

  emit(kind: EventKind, data: unknown): void {
    for (const listener of this.#listeners) listener(kind, data);
  }
}
