// What an application whose globals are declared (by the DOM library or the types of Node) hands to the package: its own fetch,
// Request, Headers and AbortSignal must fit the package's structural types.
import { fetchTransport, PartnerClient } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';
import { signWebhook, verifyWebhook, type WebhookEvent, webhookHandler } from 'partner-sdk/webhooks';

export async function handle(request: Request): Promise<WebhookEvent> {
  return verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret: 'c2VjcmV0' });
}

export const POST: (request: Request) => Promise<Response> = webhookHandler({
  secret: 'c2VjcmV0',
  onEvent: ({ type }) => type,
});

export async function deliver(body: string): Promise<Response> {
  return await fetch('https://partner.example.com/webhooks', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...signWebhook({ body, secret: 'c2VjcmV0' }) },
  });
}

export async function call(): Promise<void> {
  const controller = new AbortController();
  const client = new PartnerClient({ transport: fetchTransport({ fetch }), logger: console });
  await client.users.get('user-0123456789', { signal: controller.signal });
  await client.users.get('user-0123456789', { signal: AbortSignal.timeout(1_000) });
}

export async function mocked(request: Request): Promise<Response> {
  return await createSandbox().fetch(request);
}
