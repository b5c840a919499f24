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
  /** Returns those that can still strike, oldest first, with their present counts. */
  list(): WebhookFault[];
  /**
   * Takes one back. What it holds back goes out at its time.
   *
   * @throws Error for the id of none that can still strike.
   */
  remove(id: string): void;
  /** Takes all back. What they hold back goes out at its time. */
  clear(): void;
}
