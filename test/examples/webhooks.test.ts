import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { fetchTransport, PartnerClient } from 'partner-sdk';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import { signWebhook, type WebhookEventOf } from 'partner-sdk/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { createApp as expressApp } from '../../examples/webhooks/express.js';
import { createApp as fastifyApp } from '../../examples/webhooks/fastify.js';
import { createApp as honoApp } from '../../examples/webhooks/hono.js';

type Executed = WebhookEventOf<'quote.executed'>;
type Settle = (event: Executed) => Promise<void>;
type Build = (secrets: readonly string[], settle: Settle) => Promise<RequestListener>;

const FRAMEWORKS: readonly (readonly [name: string, build: Build])[] = [
  ['Express', async (...given) => expressApp(...given)],
  [
    'Fastify',
    async (...given) => {
      const app = fastifyApp(...given);
      await app.ready();
      return app.routing;
    },
  ],
  ['Hono', async (...given) => getRequestListener(honoApp(...given).fetch)],
];

/** An example at work: it receives the webhooks of a sandbox. */
interface Setting {
  readonly sandbox: Sandbox;
  readonly webhookId: string;
  readonly url: string;
  /** The events that the program has settled. */
  readonly settled: Executed[];
  /** Starts the program anew, as after a change of its configuration. */
  readonly restart: (secrets: readonly string[], settle?: Settle) => Promise<void>;
  /** The secret that the webhook was registered with. */
  readonly secret: string;
}

async function running(build: Build, use: (setting: Setting) => Promise<void>): Promise<void> {
  let app: RequestListener = () => {};
  const server = createServer((request, response) => app(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sandbox = createSandbox({ seed: 1 });
  const { id, signing_secret } = sandbox.webhooks.register({
    url: `${url}/webhooks/partner`,
    events: ['quote.executed', 'deposit.completed'],
  });
  const settled: Executed[] = [];
  const record: Settle = async (event) => void settled.push(event);
  const restart = async (secrets: readonly string[], settle = record): Promise<void> => {
    app = await build(secrets, settle);
  };
  await restart([signing_secret]);
  try {
    await use({ sandbox, webhookId: id, url, settled, restart, secret: signing_secret });
  } finally {
    await sandbox.close();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}

/** Executes a quote at the sandbox, and waits until its event is delivered, or was tried to. Gives the quote's id. */
async function executeQuote(sandbox: Sandbox): Promise<string> {
  const transport = fetchTransport({ fetch: (input, init) => sandbox.fetch(new Request(input, init)) });
  await using client = new PartnerClient({ baseUrl: 'https://api.test', ...sandbox.credentials, transport });
  const { quotes } = client.accounts;
  const { accountId } = sandbox.fixtures;
  const amounts = { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } };
  const quote = await quotes.create(accountId, amounts);
  await quotes.execute(accountId, quote.id);
  sandbox.advance(10_000);
  await sandbox.webhooks.idle();
  return quote.id;
}

const statuses = (sandbox: Sandbox): (number | undefined)[] =>
  sandbox.webhooks.listDeliveries().flatMap(({ attempts }) => attempts.map(({ status }) => status));

const DAY_MS = 86_400_000;

describe.each(FRAMEWORKS)('the example for %s', (_, build) => {
  it('settles an executed quote', () =>
    running(build, async ({ sandbox, settled }) => {
      const quoteId = await executeQuote(sandbox);
      expect(settled).toMatchObject([{ type: 'quote.executed', data: { id: quoteId, status: 'executed' } }]);
      expect(settled[0]?.id).toBe(sandbox.webhooks.listDeliveries()[0]?.eventId);
      expect(statuses(sandbox)).toEqual([200]);
    }));

  it('settles it once, also when it is delivered again', () =>
    running(build, async ({ sandbox, settled }) => {
      await executeQuote(sandbox);
      const [delivery] = sandbox.webhooks.listDeliveries();
      await sandbox.webhooks.redeliver(delivery?.id ?? '');
      expect(statuses(sandbox)).toEqual([200, 200]);
      expect(settled).toHaveLength(1);
    }));

  it('settles it when it comes again after a failure', () =>
    running(build, async ({ sandbox, settled, restart, secret }) => {
      const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
      let fails = true;
      await restart([secret], async (event) => {
        if (fails) throw new Error('no database');
        settled.push(event);
      });
      await executeQuote(sandbox);
      expect(statuses(sandbox)).toEqual([500]);
      expect(complaints).toHaveBeenCalledTimes(1);
      complaints.mockRestore();
      fails = false;
      sandbox.advance(10_000);
      await sandbox.webhooks.idle();
      expect(statuses(sandbox)).toEqual([500, 200]);
      expect(settled).toHaveLength(1);
    }));

  it('goes on while its secret is replaced, and tells which one signed', () =>
    running(build, async ({ sandbox, webhookId, settled, restart, secret }) => {
      const { signing_secret: next } = sandbox.webhooks.rotateSecret(webhookId);
      await executeQuote(sandbox);
      await restart([secret, next]);
      await executeQuote(sandbox);
      sandbox.advance(DAY_MS);
      await executeQuote(sandbox);
      await restart([next]);
      await executeQuote(sandbox);
      expect(statuses(sandbox)).toEqual([200, 200, 200, 200]);
      expect(settled.map(({ secretIndex }) => secretIndex)).toEqual([0, 0, 1, 0]);
    }));

  it('refuses what was changed on its way, what was signed with another secret, and what is unsigned', () =>
    running(build, async ({ sandbox, url, settled, secret }) => {
      const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
      await executeQuote(sandbox);
      const body = sandbox.webhooks.listDeliveries()[0]?.body ?? '';
      const send = async (text: string, headers: Record<string, string>): Promise<readonly [number, string]> => {
        const init = { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } };
        const response = await fetch(`${url}/webhooks/partner`, init);
        return [response.status, await response.text()];
      };
      const changed = body.replace('"executed"', '"executeD"');
      expect(changed).not.toBe(body);
      expect(await send(changed, signWebhook({ body, secret }))).toEqual([400, 'bad_signature']);
      expect(await send(body, signWebhook({ body, secret: 'YW5vdGhlciBzaWduaW5nIHNlY3JldA==' }))).toEqual([
        400,
        'bad_signature',
      ]);
      expect(await send(body, {})).toEqual([400, 'missing_header']);
      expect(settled).toHaveLength(1);
      expect(warnings).toHaveBeenCalledTimes(3);
      warnings.mockRestore();
    }));

  it.each(['application/cloudevents+json', 'text/plain', ''])('takes a delivery of the content type "%s"', (type) =>
    running(build, async ({ url, settled, secret }) => {
      const body = '{"id":"evt-1","type":"quote.executed","data":{"id":"Q-1"}}';
      const headers = { ...signWebhook({ body, secret }), ...(type !== '' && { 'content-type': type }) };
      const init = { method: 'POST', body: new TextEncoder().encode(body), headers };
      expect([(await fetch(`${url}/webhooks/partner`, init)).status, settled.length]).toEqual([200, 1]);
    }),
  );

  it('still parses the JSON of its other routes', () =>
    running(build, async ({ url }) => {
      const init = { method: 'POST', body: '{"size": 1}', headers: { 'content-type': 'application/json' } };
      const response = await fetch(`${url}/orders`, init);
      expect([response.status, await response.json()]).toEqual([201, { ordered: { size: 1 } }]);
    }));
});
