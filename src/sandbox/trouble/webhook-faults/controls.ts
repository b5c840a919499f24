import { excerpt } from '../../core/basics/excerpt.js';
import type { SandboxWebhookFaults } from '../../webhooks/controls/faults.js';
import type { WebhookFaults } from './webhook-faults.js';

export function webhookFaultControls(faults: WebhookFaults): SandboxWebhookFaults {
  return {
    add: (options) => faults.add('webhooks.faults.add', options),
    list: () => faults.list(),
    remove(id) {
      if (!faults.remove(id)) throw new Error(`webhooks.faults.remove: there is no bad webhook ${excerpt(id)}`);
    },
    clear: () => faults.clear(),
  };
}
