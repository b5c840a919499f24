import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import {
  nodeWebhookHandler,
  type WebhookEvent,
  type WebhookHandlerOptions,
  type WebhookScheme,
  webhookHandler,
} from '../../src/webhooks/index.js';
import { IDS } from './ids.js';
import { signCallback, signDelivery } from './signing.js';

/** Secrets of subscriptions, one for each scheme. */
export const SECRETS: Readonly<Record<WebhookScheme, string>> = {
  timestamped: Buffer.from('the secret of one subscription').toString('base64'),
  body: 'the secret of the ramp, used as it is given',
  standard: `whsec_${Buffer.from('the secret of a standard webhook').toString('base64')}`,
};

/** Headers of a delivery, signed by this folder, or by the public package of the standard. */
export function deliveryHeaders(scheme: WebhookScheme, body: string, id: string, age = 0): Record<string, string> {
  const now = new Date(Date.now() - age * 1000);
  const seconds = Math.floor(now.getTime() / 1000);
  if (scheme === 'body') return { 'X-Signature': signCallback(SECRETS.body, body) };
  if (scheme === 'standard') {
    const signature = new Webhook(SECRETS.standard).sign(id, now, body);
    return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
  }
  const signature = signDelivery(SECRETS.timestamped, body, seconds);
  return { 'X-Signature': signature, 'X-Webhook-ID': IDS.webhookId };
}

type Deliver = (body: string, headers: Readonly<Record<string, string>>) => Promise<number>;

/** Runs a check with each kind of handler: it delivers, and sees the events that were handled. */
export async function withHandlers(
  scheme: WebhookScheme,
  check: (deliver: Deliver, handled: readonly WebhookEvent[]) => Promise<void>,
): Promise<void> {
  const recording = (): { handled: WebhookEvent[]; options: WebhookHandlerOptions } => {
    const handled: WebhookEvent[] = [];
    const onEvent = (event: WebhookEvent) => void handled.push(event);
    return { handled, options: { secret: SECRETS[scheme], scheme, onEvent, onRejected: () => {} } };
  };
  const ofFetch = recording();
  const handle = webhookHandler(ofFetch.options);
  await check(async (body, headers) => {
    return (await handle(new Request('https://partner.example/hooks', { method: 'POST', body, headers }))).status;
  }, ofFetch.handled);

  const ofNode = recording();
  const listener = nodeWebhookHandler(ofNode.options);
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await check(async (body, headers) => (await fetch(url, { method: 'POST', body, headers })).status, ofNode.handled);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
