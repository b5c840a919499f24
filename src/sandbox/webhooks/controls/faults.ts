import type { WebhookFault, WebhookFaultOptions } from '../delivery/delivery-fault.js';

/**
 * `sandbox.webhooks.faults`: makes deliveries go wrong, so a receiver can be seen to refuse them.
 */
export interface SandboxWebhookFaults {
  /**
   * Adds a bad webhook: late, twice, lost, out of order, wrongly signed, stale, changed or of an
   * unknown kind. Of several that fit an attempt, the oldest strikes alone.
   *
   * @throws TypeError for an unknown or wrong option, and if nothing goes wrong.
   */
  add(options: WebhookFaultOptions): WebhookFault;
  /** Returns the faults that can still strike, oldest first, with their current counts. */
  list(): WebhookFault[];
  /**
   * Removes a fault. A delivery that it holds back goes out at its time.
   *
   * @throws Error for the id of none that can still strike.
   */
  remove(id: string): void;
  /** Removes all faults. Deliveries that they hold back go out at their time. */
  clear(): void;
}
