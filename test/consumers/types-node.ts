// What an application with the types of Node hands to the package: its own globals must fit the package's structural types.
import type { IncomingMessage } from 'node:http';
import { fetchTransport, PartnerClient } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';
import { signWebhook, verifyWebhook, type WebhookEvent } from 'partner-sdk/webhooks';

export function nodeHandler(request: IncomingMessage, body: Buffer): WebhookEvent {
  return verifyWebhook({ body, headers: request.headers, secret: 'c2VjcmV0' });
}

export async function fetchHandler(request: Request): Promise<WebhookEvent> {
  return verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret: 'c2VjcmV0' });
}

export async function deliver(body: string): Promise<Response> {
  return await fetch('https://partner.example.com/webhooks', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...signWebhook({ body, secret: 'c2VjcmV0' }) },
  });
}

export async function client(): Promise<void> {
  const controller = new AbortController();
  const partner = new PartnerClient({ transport: fetchTransport({ fetch }), logger: console });
  await partner.users.get('user-0123456789', { signal: controller.signal });
  await partner.users.get('user-0123456789', { signal: AbortSignal.timeout(1_000) });
}

export async function mocked(request: Request): Promise<Response> {
  return await createSandbox().fetch(request);
}
