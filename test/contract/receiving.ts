import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import {
  nodeWebhookHandler,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHandlerOptions,
  type WebhookScheme,
  webhookHandler,
} from '../../src/webhooks/index.js';
import type { SandboxStage } from './fact.js';
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

export const URL_OF_PARTNER = 'https://partner.example/hooks';

export const flat = (quoteId: string): string =>
  JSON.stringify({
    event_type: 'quote.executed',
    timestamp: '2026-03-02T09:15:10.000Z',
    id: quoteId,
    status: 'executed',
  });

export const enveloped = (id: string | undefined, type = 'withdrawal.completed'): string =>
  JSON.stringify({ id, type, data: { id: 'of the resource', ref_id: 'wd_8f1', status: 'success' } });

export const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** What a handler calls an event. */
export const verified = (body: string, headers: Record<string, string>) =>
  verifyWebhook({ body, headers, secret: SECRETS.timestamped });

/** The deliveries of two events to one subscription of a sandbox. */
export async function twoEvents(
  { sandbox, receiver }: SandboxStage,
  manner: { form?: 'flat'; scheme?: 'standard' | 'body' },
) {
  const webhook = sandbox.webhooks.register({ url: URL_OF_PARTNER, ...manner });
  for (const _ of [1, 2]) await sandbox.webhooks.trigger('quote.executed');
  expect(receiver.deliveries).toHaveLength(2);
  const deliveries = receiver.deliveries.map(({ headers, body }) => ({
    headers: Object.fromEntries(headers),
    body,
    json: JSON.parse(body) as Readonly<Record<string, unknown>>,
  }));
  return { webhook, deliveries };
}

/** In place of a delivery that did not come. */
export function never(): never {
  throw new Error('nothing was delivered');
}
