/** Examples of deliveries: one of each kind of event, as a seeded sandbox sends it. */
import { WEBHOOK_KINDS } from '../../src/resources/webhook-kinds.js';
import { createSandbox } from '../../src/sandbox/index.js';
import { RAMP_CALLBACK } from '../../src/sandbox/webhooks/delivery/payload.js';

/** Bodies of deliveries as text, by the kind of the event. */
export type Payloads = ReadonlyMap<string, string>;

/** Returns the body of one delivery of each kind and of a ramp callback, of a seeded sandbox. */
export async function makePayloads(): Promise<Payloads> {
  await using sandbox = createSandbox({ seed: 1, deliver: () => new Response() });
  sandbox.webhooks.register({ url: 'https://hooks.example/partner' });
  const payloads = new Map<string, string>();
  for (const kind of WEBHOOK_KINDS) {
    const [delivery] = await sandbox.webhooks.trigger(kind);
    if (delivery === undefined) throw new Error(`the sandbox delivers no ${kind}`);
    payloads.set(kind, delivery.body);
  }
  sandbox.webhooks.register({ url: 'https://hooks.example/ramp', scheme: 'body' });
  const [callback] = await sandbox.webhooks.trigger(RAMP_CALLBACK);
  return payloads.set(RAMP_CALLBACK, callback?.body ?? '');
}
