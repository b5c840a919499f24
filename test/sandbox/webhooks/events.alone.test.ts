import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { verifyWebhook } from '../../../src/webhooks/index.js';
import { bodies, Partner } from '../support/partner.js';
import { Receiver } from './support/receiver.js';
import { deposit, inProcess, NOWHERE, only, pass, sandboxOf, sendEvents } from './support/sending.js';
import { expectSignedBy, readSignature, signatureOf } from './support/signed.js';

let receiver: Receiver;
let sandbox: Sandbox;
beforeEach(async () => {
  receiver = await Receiver.open();
  sandbox = sandboxOf();
});

const partner = async () => new Partner(sandbox, (await sandbox.listen()).url);
const register = (...events: string[]) => sandbox.webhooks.register({ url: receiver.url, events });

/** The events that came in, with what they are about. */
const events = () =>
  receiver.received.map(({ body }) => JSON.parse(body) as { id: string; type: string; data: object });

const executed = async (api: Partner): Promise<string> => {
  const quote = (await api.post(`${api.account}/quotes`, bodies.quote)).body.data;
  await api.post(`${api.account}/quotes/${quote.id}/execute`);
  return quote.id;
};

const whitelisted = async (api: Partner, wallet: object): Promise<string> => {
  return (await api.post(`${api.account}/wallets/whitelist`, wallet, { 'API-Otp': '1' })).body.data.id;
};

const listed = async (api: Partner, id: string) => {
  const { data } = (await api.get(`${api.account}/on-demand-conversions`)).body;
  return data.find((conversion: { id: string }) => conversion.id === id);
};

/** Those of the seed move on, too. */
const about = (id: string) => events().filter(({ data }) => 'id' in data && data.id === id);

const fromUsd = { type: 'balance', symbol: 'USD', amount: '25.00' } as const;

describe('an event is sent', () => {
  test('when a quote is executed, with the quote as the API shows it', async () => {
    register('quote.executed');
    const api = await partner();
    const id = await executed(api);
    await pass(sandbox, 1_999);
    expect(events()).toEqual([]);
    await pass(sandbox, 1);
    const { data } = (await api.get(`${api.account}/quotes/${id}`)).body;
    expect(data.status).toBe('executed');
    expect(events()).toEqual([{ id: expect.stringMatching(/^evt_/), type: 'quote.executed', data }]);
  });

  test.each([['wallet'], ['bank']] as const)('when a conversion to a %s completes', async (type) => {
    register('conversion.withdrawal_completed', 'conversion.quote_execution_failed');
    const api = await partner();
    const wallet_id = await whitelisted(api, bodies.wallet);
    await pass(sandbox, 5_000);
    const to = type === 'wallet' ? { type, symbol: 'BTC', wallet_id } : { type, symbol: 'EUR' };
    const { id } = sandbox.accounts.convert(sandbox.fixtures.accountId, { from: fromUsd, to });
    await pass(sandbox, 30_000);
    expect(about(id)).toEqual([]);
    await pass(sandbox, 90_000);
    const data = await listed(api, id);
    expect(data).toMatchObject({ status: 'completed', to: { type } });
    expect(about(id)).toMatchObject([{ type: 'conversion.withdrawal_completed', data }]);
  });

  test('when a conversion fails', async () => {
    register('conversion.withdrawal_completed', 'conversion.quote_execution_failed');
    const api = await partner();
    const to = { type: 'bank', symbol: 'EUR' } as const;
    const { id } = sandbox.accounts.convert(sandbox.fixtures.accountId, { from: fromUsd, to, fails: true });
    await pass(sandbox, 200_000);
    const data = await listed(api, id);
    expect(data).toMatchObject({ status: 'failed' });
    expect(about(id)).toMatchObject([{ type: 'conversion.quote_execution_failed', data }]);
  });
});

describe('no event is sent', () => {
  test('when a conversion to a balance completes: nothing was withdrawn', async () => {
    register('conversion.withdrawal_completed');
    const to = { type: 'balance', symbol: 'EUR' } as const;
    const { id } = sandbox.accounts.convert(sandbox.fixtures.accountId, { from: { ...fromUsd, type: 'bank' }, to });
    await pass(sandbox, 4 * 86_400_000);
    expect(await listed(await partner(), id)).toMatchObject({ status: 'completed' });
    expect(about(id)).toEqual([]);
  });

  test('when a quote fails or expires', async () => {
    register('quote.executed');
    const api = await partner();
    sandbox.quotes.fail(await executed(api));
    await api.post(`${api.account}/quotes`, bodies.quote);
    await pass(sandbox, 60_000);
    expect(events()).toEqual([]);
  });

  test('to webhooks that do not list its kind, are disabled, or were removed', async () => {
    register('quote.executed');
    sandbox.webhooks.update(register('deposit.completed').id, { disabled: true });
    sandbox.webhooks.remove(register('deposit.completed').id);
    deposit(sandbox);
    await pass(sandbox, 60_000);
    expect(sandbox.webhooks.listDeliveries()).toEqual([]);
    expect(events()).toEqual([]);
  });

  test('to webhooks of the seed, which have no secret', async () => {
    const api = await partner();
    const { data } = (await api.get('/v1/webhooks?page_size=25')).body;
    expect(data).toHaveLength(25);
    for (const { id } of data)
      sandbox.webhooks.update(id, { url: receiver.url, events: ['deposit.completed'], disabled: false });
    deposit(sandbox);
    await pass(sandbox, 60_000);
    expect(sandbox.webhooks.listDeliveries()).toEqual([]);
    const { signing_secret } = sandbox.webhooks.rotateSecret(data[0].id);
    await sendEvents(sandbox);
    expect(receiver.received).toHaveLength(1);
    for (const delivery of receiver.received) expectSignedBy(delivery, [signing_secret]);
  });

  test('twice to a webhook that lists its kind twice', async () => {
    register('deposit.completed', 'deposit.completed');
    await sendEvents(sandbox);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a delivery', () => {
  const deliver = async () => {
    await sendEvents(sandbox);
    const [delivery] = receiver.received.splice(0);
    if (delivery === undefined) throw new Error('nothing came in');
    return delivery;
  };

  test('is a POST of JSON whose headers name the kind of the event and the webhook', async () => {
    const { id: webhookId } = register('deposit.completed', 'anything.else');
    const { path, headers, rawHeaders, body } = await deliver();
    const { id, ...rest } = JSON.parse(body);
    expect(path).toBe('/webhooks');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-event': 'deposit.completed',
      'x-webhook-id': webhookId,
    });
    expect(rawHeaders).toEqual(expect.arrayContaining(['X-Signature', 'X-Webhook-Event', 'X-Webhook-ID']));
    expect(rest).toEqual({ type: 'deposit.completed', data: expect.any(Object) });
    expect(only(sandbox)).toMatchObject({ eventId: id, type: 'deposit.completed', body, status: 'delivered' });
  });

  test('of one event has the same body and id for every webhook, each with its own signature', async () => {
    const secrets = [register('deposit.completed'), register('deposit.completed')].map((made) => made.signing_secret);
    await sendEvents(sandbox);
    const [one, other] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect(one?.body).toBe(other?.body);
    expect(new Set(receiver.ids)).toHaveProperty('size', 1);
    const signatures = receiver.received.map(({ headers, body }) => {
      const { seconds, signatures: made } = readSignature(headers['x-signature']);
      return secrets.findIndex((secret) => made.includes(signatureOf(secret, seconds, body)));
    });
    expect(signatures.sort()).toEqual([0, 1]);
  });

  test('is signed as the service signs, which the package verifies', async () => {
    const { signing_secret: secret } = sandbox.webhooks.register({ url: receiver.url });
    const delivery = await deliver();
    expectSignedBy(delivery, [secret]);
    const event = verifyWebhook({ body: delivery.body, headers: delivery.headers, secret });
    expect(event).toMatchObject({ id: only(sandbox).eventId, type: 'deposit.completed' });
    const other = Buffer.from('another signing secret').toString('base64');
    expect(() => verifyWebhook({ body: delivery.body, headers: delivery.headers, secret: other })).toThrow(
      /no signature matches/,
    );
  });

  test("carries the machine's time, whatever the sandbox's clock says", async () => {
    const { signing_secret: secret } = sandbox.webhooks.register({ url: receiver.url });
    sandbox.advance(400 * 86_400_000);
    const before = Math.floor(Date.now() / 1000);
    const { body, headers } = await deliver();
    const { seconds } = readSignature(headers['x-signature']);
    expect(seconds).toBeGreaterThanOrEqual(before);
    expect(seconds).toBeLessThanOrEqual(Date.now() / 1000);
    expect(verifyWebhook({ body, headers, secret, toleranceSeconds: 60 }).timestamp).toBe(seconds);
  });

  test('carries the time of its attempt: one that comes late is not too old', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const times: number[] = [];
      const late = inProcess(({ headers }) => {
        times.push(readSignature(headers.get('x-signature')).seconds);
        return new Response(null, { status: 503 });
      });
      late.webhooks.register({ url: NOWHERE });
      vi.setSystemTime(1_700_000_000_999);
      await sendEvents(late);
      vi.setSystemTime(1_700_009_000_000);
      await pass(late, 5_000);
      expect(times).toEqual([1_700_000_000, 1_700_009_000]);
    } finally {
      vi.useRealTimers();
    }
  });
});
