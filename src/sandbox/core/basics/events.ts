import type { WEBHOOK_KINDS } from '../../../resources/webhook-kinds.js';

/** The known kinds of events. The sandbox emits those that something in it causes. */
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
