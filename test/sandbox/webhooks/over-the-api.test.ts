import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../src/webhooks/index.js';
import { openSandbox, type Partner } from '../support/partner.js';
import { answering, Receiver, stalling } from './support/receiver.js';
import { deposit, pass } from './support/sending.js';
import { expectSignedBy } from './support/signed.js';

const KEY = 'Idempotency-Key';
const listed = async (partner: Partner) => (await partner.get('/v1/webhooks?page_size=1')).body.data[0];
const change = (partner: Partner, id: string, body: object) =>
  partner.call({ method: 'PATCH', path: `/v1/webhooks/${id}`, body });
const remove = (partner: Partner, id: string) => partner.call({ method: 'DELETE', path: `/v1/webhooks/${id}` });

async function register(partner: Partner, url: string, body: object = {}) {
  const answer = await partner.post('/v1/webhooks', { url, ...body });
  return answer.body.data;
}

describe('a webhook that the API has registered', () => {
  test('is listed without its secret, and receives its events, signed with it', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    const { signing_secret, ...rest } = await register(partner, receiver.url, {
      events: ['deposit.completed'],
      description: 'Mine',
      newer: 1,
    });
    expect(rest).toEqual({
      id: expect.stringMatching(/^ep_/),
      url: receiver.url,
      description: 'Mine',
      events: ['deposit.completed'],
      created_at: expect.stringMatching(/\.\d{6}Z$/),
      updated_at: rest.created_at,
    });
    expect(await listed(partner)).toEqual(rest);
    deposit(partner.sandbox);
    await partner.sandbox.webhooks.idle();
    const [received] = receiver.received;
    if (received === undefined) throw new Error('nothing was delivered');
    expectSignedBy(received, [signing_secret]);
    expect(partner.sandbox.webhooks.listDeliveries()).toMatchObject([{ webhookId: rest.id, status: 'delivered' }]);
  });

  test('receives every kind when none was named', async () => {
    const partner = await openSandbox();
    const { events } = await register(partner, 'https://partner.example/hooks');
    expect(events).toEqual(expect.arrayContaining(['quote.executed', 'withdrawal.completed', 'webhook.test']));
  });

  test('changes what is named, and nothing else', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    const { signing_secret: _, ...before } = await register(partner, receiver.url, { events: ['deposit.completed'] });
    const disabled = (await change(partner, before.id, { disabled: true })).body.data;
    expect(disabled).toEqual({ ...before, disabled: true, updated_at: expect.any(String) });
    deposit(partner.sandbox);
    const { data } = (await change(partner, before.id, { disabled: false, events: ['a.later_kind'], description: 'x' }))
      .body;
    expect(data).toEqual({ ...before, events: ['a.later_kind'], description: 'x', updated_at: expect.any(String) });
    expect(await listed(partner)).toEqual(data);
    deposit(partner.sandbox);
    await pass(partner.sandbox, 60_000);
    expect(receiver.received).toEqual([]);
  });

  test('is gone when it was deleted, with what was to be delivered', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open(answering(500))];
    const { id } = await register(partner, receiver.url, { events: ['deposit.completed'] });
    deposit(partner.sandbox);
    await partner.sandbox.webhooks.idle();
    expect((await remove(partner, id)).body).toEqual({
      data: { webhook_id: id, deleted_at: expect.stringMatching(/^2026-01-15T12:00:00\.\d{6}Z$/) },
    });
    await pass(partner.sandbox, 3_600_000);
    expect(receiver.received).toHaveLength(1);
    expect((await listed(partner)).id).not.toBe(id);
    const answers = [
      await remove(partner, id),
      await change(partner, id, {}),
      await partner.post(`/v1/webhooks/${id}/test`),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.code, body.error.causes]).toEqual([
        ...[404, 'not_found'],
        [{ field: 'webhook_id', message: 'does not exist' }],
      ]);
    }
  });

  test.each([
    'http://partner.example/hooks',
    'https://a:b@partner.example',
    'ftp://localhost',
    'http://localhost.example',
    'http://172.32.0.1',
    'http://user@application:3000',
  ])('cannot be at %s', async (url) => {
    const partner = await openSandbox();
    const { status, body } = await partner.post('/v1/webhooks', { url });
    expect([status, body.error.causes[0].field]).toEqual([400, 'url']);
  });

  test.each(['http://application:3000/hooks', 'http://host.docker.internal', 'http://127.0.0.2:1', 'http://10.0.0.8'])(
    'can be at %s, which the internet cannot reach',
    async (url) => {
      const partner = await openSandbox();
      const { status, body } = await partner.post('/v1/webhooks', { url });
      expect([status, body.data.url]).toEqual([200, url]);
    },
  );
});

describe('a test delivery', () => {
  test('tells what the receiver answered, and what it got', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    receiver.behave = (response) => void response.writeHead(202).end('taken');
    const { id, signing_secret } = await register(partner, receiver.url, { events: [] });
    const { status, body } = await partner.post(`/v1/webhooks/${id}/test`);
    const [received] = receiver.received;
    expect([status, body]).toEqual([
      200,
      {
        data: {
          result: 'success',
          test_id: expect.stringMatching(/^test_/),
          http_status: 202,
          response_body: 'taken',
          error_message: null,
          payload_sent: received?.body,
          signature_header: received?.headers['x-signature'],
        },
      },
    ]);
    const event = verifyWebhook({
      body: received?.body ?? '',
      headers: received?.headers ?? {},
      secret: signing_secret,
    });
    expect([event.type, event.id]).toEqual(['webhook.test', expect.stringMatching(/^evt_/)]);
    expect(JSON.parse(body.data.payload_sent)).toEqual({ id: event.id, type: 'webhook.test', data: event.data });
    expect(received?.headers['x-webhook-id']).toBe(id);
    const { payload_sent, signature_header } = body.data;
    verifyWebhook({ body: payload_sent, headers: { 'x-signature': signature_header }, secret: signing_secret });
    expect(partner.sandbox.webhooks.listDeliveries()).toMatchObject([{ type: 'webhook.test', status: 'delivered' }]);
  });

  test('that fails is an answer, not an error, and is not retried', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    receiver.behave = (response) => void response.writeHead(500).end('x'.repeat(100_000));
    const { id } = await register(partner, receiver.url, { events: ['webhook.test'] });
    const { data } = (await partner.post(`/v1/webhooks/${id}/test`)).body;
    expect(data).toMatchObject({ result: 'failure', http_status: 500, error_message: 'the receiver answered 500' });
    expect(data.response_body).toMatch(/^x{1000}…$/);
    await pass(partner.sandbox, 24 * 3_600_000);
    expect(receiver.received).toHaveLength(1);
    expect(partner.sandbox.webhooks.listDeliveries()).toMatchObject([
      { status: 'failed', reason: 'a test is sent once' },
    ]);
  });

  test('to an address at which nobody listens says so', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    const { id } = await register(partner, receiver.url);
    await receiver.close();
    const { data } = (await partner.post(`/v1/webhooks/${id}/test`)).body;
    expect(data).toMatchObject({ result: 'failure', error_message: expect.stringContaining('ECONNREFUSED') });
    expect(data).not.toHaveProperty('http_status');
  });

  test('to a webhook of the seed is not sent', async () => {
    const partner = await openSandbox();
    const { data } = (await partner.post(`/v1/webhooks/${partner.sandbox.fixtures.webhookId}/test`)).body;
    expect(data).toMatchObject({ result: 'failure', error_message: expect.stringContaining('of its seed') });
    expect(partner.sandbox.webhooks.listDeliveries()).toEqual([]);
  });

  test('reaches a disabled webhook', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    const { id } = await register(partner, receiver.url);
    await change(partner, id, { disabled: true });
    expect((await partner.post(`/v1/webhooks/${id}/test`)).body.data.result).toBe('success');
  });

  test('does not hold up the requests that its receiver makes with the same API key', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    receiver.behave = (response) => {
      void partner.get('/v1/webhooks').then(({ status }) => response.writeHead(200).end(String(status)));
    };
    const { id } = await register(partner, receiver.url);
    expect((await partner.post(`/v1/webhooks/${id}/test`)).body.data).toMatchObject({ response_body: '200' });
    const [listing, tested] = partner.sandbox.journal.slice(-2);
    expect([listing?.operation, tested?.operation]).toEqual(['webhooks.list', 'webhooks.test']);
  });

  test('that is asked for again while it is under way is sent once, and answered twice', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open()];
    let answer = (): void => {};
    receiver.behave = (response) => {
      answer = () => void response.writeHead(200).end();
    };
    const { id } = await register(partner, receiver.url);
    const headers = { [KEY]: randomUUID() };
    const ask = () => partner.post(`/v1/webhooks/${id}/test`, undefined, headers);
    const first = ask();
    await receiver.arrived(1);
    const again = ask();
    const other = await partner.post(`/v1/webhooks/${partner.sandbox.fixtures.webhookId}/test`, undefined, headers);
    expect([other.status, partner.sandbox.journal.at(-1)?.verdict]).toEqual([409, 'key_reused']);
    answer();
    const [a, b] = await Promise.all([first, again]);
    expect(b.body).toEqual(a.body);
    expect([a.headers.get('idempotent-replayed'), b.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
    expect((await ask()).body).toEqual(a.body);
    expect(receiver.received).toHaveLength(1);
  });

  test('ends with the sandbox', async () => {
    const [partner, receiver] = [await openSandbox(), await Receiver.open(stalling)];
    const { id } = await register(partner, receiver.url);
    const asked = partner.post(`/v1/webhooks/${id}/test`).catch((error: unknown) => error);
    await receiver.arrived(1);
    await partner.sandbox.close();
    expect(await asked).toBeInstanceOf(TypeError);
  });
});
