import type { WebhookFault, WebhookFaultOptions } from '../delivery/delivery-fault.js';

/** `sandbox.webhooks.faults`: makes deliveries go wrong, to test that a receiver rejects them. */
export interface SandboxWebhookFaults {
  /**
   * Adds a webhook fault: late, twice, lost, out of order, wrongly signed, stale, changed or of an
   * unknown kind. If several match an attempt, only the oldest applies.
   *
   * @throws TypeError for an unknown or wrong option, and if nothing goes wrong.
   */
  add(options: WebhookFaultOptions): WebhookFault;
  /** Returns the active faults, oldest first, with their current counts. */
  list(): WebhookFault[];
  /**
   * Removes a fault. A delivery that it delays is sent at the scheduled time.
   *
   * @throws Error if no active fault has this id.
   */
  remove(id: string): void;
  /** Removes all faults. Deliveries that they delay are sent at the scheduled time. */
  clear(): void;
}
