import { createHash, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { WEBHOOK_KINDS } from '../../../src/resources/webhook-kinds.js';
import { signWebhook, verifyWebhook } from '../../../src/webhooks/index.js';
import type { Fact, SandboxStage } from '../fact.js';
import { IDS } from '../ids.js';
import { deliveryHeaders, SECRETS, withHandlers } from '../receiving.js';
import { signCallback, signDelivery } from '../signing.js';

const URL_OF_PARTNER = 'https://partner.example/hooks';

const VECTOR = {
  secret: 'dGVzdC1zZWNyZXQtcGxlYXNlLWlnbm9yZQ==',
  seconds: 1_734_567_890,
  body: '{"event_type":"webhook.test","message":"This is a test webhook event to verify your endpoint configuration."}',
  v1: '1ef668d4f2ef42f82d076fcdd4b6320d5d956df364588a36a00d1e3027744654',
};

const flat = (quoteId: string): string =>
  JSON.stringify({
    event_type: 'quote.executed',
    timestamp: '2026-03-02T09:15:10.000Z',
    id: quoteId,
    status: 'executed',
  });

const enveloped = (id: string | undefined, type = 'withdrawal.completed'): string =>
  JSON.stringify({ id, type, data: { id: 'of the resource', ref_id: 'wd_8f1', status: 'success' } });

const hashOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** What a handler calls an event. */
const verified = (body: string, headers: Record<string, string>) =>
  verifyWebhook({ body, headers, secret: SECRETS.timestamped });

/** The deliveries of two events to one subscription of a sandbox. */
async function twoEvents({ sandbox, receiver }: SandboxStage, manner: { form?: 'flat'; scheme?: 'standard' | 'body' }) {
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

export const webhookFacts: readonly Fact[] = [
  {
    fact: 'X-Signature is t=<unix seconds>,v1=<hex HMAC-SHA256 of t, a full stop and the raw body>, by the base64-decoded secret; a vector shows it.',
    source: 'current',
    document: ['`t=<seconds since 1970>,v1=<hex>`', 'HMAC-SHA256( key, t ‖ "." ‖ body )', VECTOR.secret, VECTOR.v1],
    client: () => {
      const { secret, seconds, body, v1 } = VECTOR;
      expect(signDelivery(secret, body, seconds)).toBe(`t=${seconds},v1=${v1}`);
      expect(signWebhook({ secret, body, timestampSeconds: seconds })['X-Signature']).toBe(`t=${seconds},v1=${v1}`);
      const event = verified(enveloped('evt_1'), deliveryHeaders('timestamped', enveloped('evt_1'), ''));
      expect(event).toMatchObject({ id: 'evt_1', type: 'withdrawal.completed', data: { ref_id: 'wd_8f1' } });
      const other = deliveryHeaders('timestamped', enveloped('evt_2'), '');
      expect(() => verified(enveloped('evt_1'), other)).toThrow(/signature/i);
    },
    sandbox: async (stage) => {
      const { webhook, deliveries } = await twoEvents(stage, {});
      for (const { headers, body } of deliveries) {
        const [, seconds = ''] = headers['x-signature']?.match(/^t=(\d+),/) ?? [];
        expect(headers['x-signature']).toBe(signDelivery(webhook.signing_secret, body, Number(seconds)));
      }
    },
  },
  {
    fact: 'Several v1 may be there while a secret is rotated: one that fits is enough.',
    source: 'current',
    document: [/several `v1`/],
    client: () => {
      const body = enveloped('evt_1');
      const seconds = Math.floor(Date.now() / 1000);
      const [, right] = signDelivery(SECRETS.timestamped, body, seconds).split(',');
      const headers = { 'X-Signature': `t=${seconds},v1=${'0'.repeat(64)},${right}` };
      expect(verified(body, headers).id).toBe('evt_1');
    },
    sandbox: async (stage) => {
      const webhook = stage.sandbox.webhooks.register({ url: URL_OF_PARTNER });
      const rotated = stage.sandbox.webhooks.rotateSecret(webhook.id);
      await stage.sandbox.webhooks.trigger('quote.executed');
      const [{ headers, body } = never()] = stage.receiver.deliveries;
      const signature = headers.get('x-signature') ?? '';
      const seconds = Number(signature.match(/^t=(\d+)/)?.[1]);
      for (const { signing_secret: secret } of [webhook, rotated]) {
        expect(signature.split(',')).toContain(signDelivery(secret, body, seconds).split(',')[1]);
      }
    },
  },
  {
    fact: 'A callback of the hosted ramp is signed otherwise: hex HMAC-SHA256 of the body alone, by the secret as it is given.',
    source: 'current',
    document: [/hex HMAC-SHA256 of the body alone/],
    client: () => {
      const body = enveloped('evt_1');
      const headers = deliveryHeaders('body', body, '');
      expect(verifyWebhook({ body, headers, secret: SECRETS.body, scheme: 'body' }).id).toBe('evt_1');
      expect(() => verifyWebhook({ body, headers, secret: SECRETS.timestamped })).toThrow();
    },
    sandbox: async (stage) => {
      const { webhook, deliveries } = await twoEvents(stage, { scheme: 'body' });
      for (const { headers, body } of deliveries) {
        expect(headers['x-signature']).toBe(signCallback(webhook.signing_secret, body));
      }
    },
  },
  {
    fact: 'X-Webhook-Event names the kind of the event.',
    source: 'old',
    document: ['| `X-Webhook-Event` |'],
    client: () => {
      const body = '{"amount":"1"}';
      const headers = { ...deliveryHeaders('timestamped', body, ''), 'X-Webhook-Event': 'loan.repaid' };
      expect(verified(body, headers)).toMatchObject({ type: 'loan.repaid', data: { amount: '1' } });
    },
    sandbox: async (stage) => {
      const { deliveries } = await twoEvents(stage, {});
      for (const { headers } of deliveries) expect(headers['x-webhook-event']).toBe('quote.executed');
    },
  },
  {
    fact: 'X-Webhook-ID is the id of the subscription, the same in every delivery to it, and no id of an event.',
    source: 'old',
    document: [/`X-Webhook-ID` \| the id of the subscription .* never the id of an event/, 'SHA-256 of the body'],
    client: async () => {
      const bodies = ['q_1', 'q_2', 'q_3'].map(flat);
      await withHandlers('timestamped', async (deliver, handled) => {
        for (const round of [0, 1]) {
          for (const body of bodies) {
            expect(await deliver(body, deliveryHeaders('timestamped', body, '', round))).toBe(200);
          }
        }
        expect(handled.map(({ id, webhookId, body }) => [id, webhookId, body])).toEqual(
          bodies.map((body) => [undefined, IDS.webhookId, body]),
        );
        expect(handled.map(({ deliveryId }) => deliveryId)).toEqual(bodies.map(hashOf));
      });
    },
    sandbox: async (stage) => {
      const { webhook, deliveries } = await twoEvents(stage, {});
      expect(deliveries.map(({ headers }) => headers['x-webhook-id'])).toEqual([webhook.id, webhook.id]);
      expect(deliveries[0]?.json['id']).not.toBe(deliveries[1]?.json['id']);
    },
  },
  {
    fact: 'The flat form has `event_type` beside its members, a `timestamp`, and no id of the event: its `id` is the resource.',
    source: 'old',
    document: [/flat, .* with `event_type` and `timestamp` beside the members/],
    client: async () => {
      const body = flat('q_1');
      const event = verified(body, deliveryHeaders('timestamped', body, ''));
      expect(event).toMatchObject({ type: 'quote.executed', data: { id: 'q_1' }, deliveryId: hashOf(body) });
      expect(event.id).toBeUndefined();
    },
    sandbox: async (stage) => {
      const { deliveries } = await twoEvents(stage, { form: 'flat' });
      for (const { json } of deliveries) {
        expect(json).toMatchObject({ event_type: 'quote.executed', timestamp: expect.any(String) });
        expect([json['type'], json['data']]).toEqual([undefined, undefined]);
      }
    },
  },
  {
    fact: 'The enveloped form {id, type, data} has an id of its own, which is the event.',
    source: 'current',
    document: ['{"id": "evt_…", "type": "<kind>", "data": {…}}'],
    client: async () => {
      await withHandlers('timestamped', async (deliver, handled) => {
        for (const id of ['evt_1', 'evt_2', 'evt_1', 'evt_2']) {
          expect(await deliver(enveloped(id), deliveryHeaders('timestamped', enveloped(id), ''))).toBe(200);
        }
        expect(handled.map(({ id, deliveryId }) => [id, deliveryId])).toEqual([
          ['evt_1', 'evt_1'],
          ['evt_2', 'evt_2'],
        ]);
      });
    },
    sandbox: async (stage) => {
      const { deliveries } = await twoEvents(stage, {});
      for (const { json } of deliveries) {
        expect(json).toEqual({ id: expect.stringMatching(/^evt_/), type: 'quote.executed', data: expect.any(Object) });
      }
    },
  },
  {
    fact: 'That the retries of an event have equal bytes stands nowhere. An envelope without an id is known by its bytes, so an event is at worst handled twice.',
    source: 'inferred',
    document: [/an assumption that a retry has the same bytes/],
    client: async () => {
      await withHandlers('timestamped', async (deliver, handled) => {
        const bodies = [enveloped(undefined), enveloped(undefined), `${enveloped(undefined)} `];
        for (const body of bodies) await deliver(body, deliveryHeaders('timestamped', body, ''));
        expect(handled.map(({ body }) => body)).toEqual([bodies[0], bodies[2]]);
      });
    },
    sandbox: async ({ sandbox, receiver }) => {
      sandbox.webhooks.register({ url: URL_OF_PARTNER, form: 'flat' });
      receiver.status = 503;
      await sandbox.webhooks.trigger('quote.executed');
      sandbox.advance(1_000);
      await sandbox.webhooks.idle();
      const [first, second] = receiver.deliveries;
      expect(second?.body).toBe(first?.body);
    },
  },
  {
    fact: 'A test of a subscription tells what was sent as a string, and its signature header.',
    source: 'current',
    sandbox: async ({ send, receiver }) => {
      const headers = () => ({ 'Idempotency-Key': randomUUID() });
      const body = { url: URL_OF_PARTNER };
      const made = await send({ target: '/v1/webhooks', method: 'POST', body, headers: headers() });
      const { id, signing_secret: secret } = (made.json as { data: { id: string; signing_secret: string } }).data;
      const target = `/v1/webhooks/${id}/test`;
      const { json } = await send({ target, method: 'POST', headers: headers() });
      const [{ body: sent } = never()] = receiver.deliveries;
      expect(json).toMatchObject({ data: { result: 'success', http_status: 200, payload_sent: sent } });
      const { signature_header: signature } = (json as { data: { signature_header: string } }).data;
      expect(signature).toBe(signDelivery(secret, sent, Number(signature.match(/^t=(\d+)/)?.[1])));
    },
  },
  {
    fact: 'A delivery that fails is tried again with growing waits, for up to 5 minutes in production, and then never.',
    source: 'old',
    document: [/for up to 5 minutes/, /an older edition/i],
    sandbox: async ({ sandbox, receiver }) => {
      sandbox.webhooks.register({ url: URL_OF_PARTNER, events: ['quote.executed'] });
      receiver.status = 500;
      await sandbox.webhooks.trigger('quote.executed');
      const times: number[] = [0];
      for (let second = 1; second <= 900; second++) {
        const before = receiver.deliveries.length;
        await sandbox.clock.advance(1_000);
        await sandbox.webhooks.idle();
        if (receiver.deliveries.length > before) times.push(second);
      }
      const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(waits).toEqual([...waits].sort((one, other) => one - other));
      expect(waits.length).toBeGreaterThan(3);
      expect(times.at(-1)).toBeLessThanOrEqual(300);
    },
  },
  {
    fact: 'A receiver has 30 s to answer 2xx.',
    source: 'current',
    document: [/2xx within 30 s/],
    sandbox: async ({ sandbox, receiver }) => {
      sandbox.webhooks.register({ url: URL_OF_PARTNER });
      receiver.status = 201;
      const [delivered] = await sandbox.webhooks.trigger('quote.executed');
      receiver.status = 302;
      const [failed] = await sandbox.webhooks.trigger('quote.executed');
      expect([delivered?.status, failed?.status]).toEqual(['delivered', 'pending']);
    },
  },
  {
    fact: 'Deliveries repeat, and no order is promised.',
    source: 'current',
    document: [/in any order/],
    client: async () => {
      await withHandlers('timestamped', async (deliver, handled) => {
        for (const [id, age] of [
          ['evt_2', 0],
          ['evt_1', 120],
          ['evt_2', 60],
        ] as const) {
          expect(await deliver(enveloped(id), deliveryHeaders('timestamped', enveloped(id), '', age))).toBe(200);
        }
        expect(handled.map(({ id }) => id)).toEqual(['evt_2', 'evt_1']);
      });
    },
  },
  {
    fact: 'The set of kinds is open: an unknown one reaches the program, and is no error.',
    source: 'specified',
    document: [/200 to a kind that you don't know/],
    client: async () => {
      await withHandlers('timestamped', async (deliver, handled) => {
        const body = enveloped('evt_1', 'loan.repaid');
        expect(await deliver(body, deliveryHeaders('timestamped', body, ''))).toBe(200);
        expect(handled).toMatchObject([{ type: 'loan.repaid', data: { ref_id: 'wd_8f1' } }]);
      });
    },
    sandbox: async ({ send }) => {
      const body = { url: URL_OF_PARTNER, events: ['loan.repaid'] };
      expect((await send({ target: '/v1/webhooks', method: 'POST', body })).status).toBe(200);
    },
  },
  {
    fact: 'These kinds are public.',
    source: 'current',
    client: () => {
      // A kind that nobody knows does not compile here.
      expect(new Set(KINDS).size).toBe(KINDS.length);
      expect([...WEBHOOK_KINDS].sort()).toEqual([...KINDS].sort());
    },
    sandbox: async ({ send, sandbox }) => {
      const webhook = { url: URL_OF_PARTNER, events: KINDS };
      expect((await send({ target: '/v1/webhooks', method: 'POST', body: webhook })).status).toBe(200);
      const unknown = sandbox.webhooks
        .samples()
        .map(({ kind }) => kind)
        .filter((kind) => !KINDS.includes(kind));
      // The ramp's callback has no kind; its name is ours.
      expect(unknown.filter((kind) => kind !== RAMP_KIND)).toEqual([]);
    },
  },
  {
    fact: 'The ramp tells its partner about a transaction in a POST without a kind: a status and a payload with a transaction_id. That it is signed by the scheme of ramp callbacks, and has no id of an event, is inferred.',
    source: 'old',
    client: async () => {
      await withHandlers('body', async (deliver, handled) => {
        const bodies = RAMP_STATUSES.map((status) => JSON.stringify({ status, payload: RAMP_PAYLOAD }));
        for (const body of [...bodies, ...bodies]) {
          expect(await deliver(body, deliveryHeaders('body', body, ''))).toBe(200);
        }
        expect(handled.map(({ type, data, deliveryId }) => [type, data, deliveryId])).toEqual(
          bodies.map((body) => [RAMP_KIND, JSON.parse(body), hashOf(body)]),
        );
      });
    },
    sandbox: async ({ sandbox, receiver }) => {
      const webhook = sandbox.webhooks.register({ url: URL_OF_PARTNER, scheme: 'body', events: [RAMP_KIND] });
      await sandbox.webhooks.trigger(RAMP_KIND);
      const [{ headers, body } = never()] = receiver.deliveries;
      expect(headers.get('x-signature')).toBe(signCallback(webhook.signing_secret, body));
      const sent = JSON.parse(body) as { status: string; payload: Record<string, unknown> };
      expect(RAMP_STATUSES).toContain(sent.status);
      expect(sent.payload['transaction_id']).toEqual(expect.any(String));
      expect(Object.keys(sent.payload).filter((name) => !(name in RAMP_PAYLOAD))).toEqual([]);
    },
  },
  {
    fact: 'The secret comes once, with the registration, and never in a list.',
    source: 'specified',
    client: async ({ client }) => {
      const { signing_secret: secret } = await client.webhooks.create({ url: 'https://partner.example/hooks/new' });
      expect(secret).toBe('dGhlIHNlY3JldCBvZiBhIHN1YnNjcmlwdGlvbg==');
    },
    sandbox: async ({ send }) => {
      const made = await send({ target: '/v1/webhooks', method: 'POST', body: { url: URL_OF_PARTNER } });
      expect(made.json).toMatchObject({ data: { signing_secret: expect.any(String) } });
      expect((await send({ target: '/v1/webhooks' })).text).not.toContain('secret');
    },
  },
  {
    fact: 'The URL of a subscription is https, without credentials, of at most 2,048 characters.',
    source: 'current',
    client: async ({ client, service }) => {
      for (const url of BAD_URLS) await expect(client.webhooks.create({ url })).rejects.toThrow(/url/);
      expect(service.received).toEqual([]);
    },
    sandbox: async ({ send }) => {
      for (const url of BAD_URLS) {
        const { status } = await send({ target: '/v1/webhooks', method: 'POST', body: { url } });
        expect([url.slice(0, 40), status]).toEqual([url.slice(0, 40), 400]);
      }
    },
  },
  {
    fact: 'A URL that is registered already is a 409, a domain must be allowlisted, and a registration has `enabled`, false by default; the description has `disabled` instead.',
    source: 'old',
    client: async ({ client, service }) => {
      await client.webhooks.create({ url: 'https://partner.example/hooks/new', enabled: true });
      expect(service.received).toMatchObject([{ body: { enabled: true } }]);
      service.answers({
        status: 409,
        body: { error: { type: 'state_error', status: 409, instance: 'i', code: 'conflict' } },
      });
      await expect(client.webhooks.create({ url: URL_OF_PARTNER })).rejects.toMatchObject({ name: 'ConflictError' });
    },
  },
  {
    fact: 'The subscription has the shape of a system that signs by the public standard: `webhook-signature` is a list of v1,<base64 HMAC-SHA256 of id, time and body>, by the base64 after whsec_. That this service signs so is an assumption.',
    source: 'inferred',
    document: [/an assumption that the service may use this public standard/, '`v1,<base64>`', '`svix-id`', '`whsec_`'],
    client: async () => {
      await withHandlers('standard', async (deliver, handled) => {
        for (const id of ['msg_1', 'msg_2', 'msg_1']) {
          expect(await deliver(flat('q_1'), deliveryHeaders('standard', flat('q_1'), id))).toBe(200);
        }
        expect(handled.map(({ id, deliveryId }) => [id, deliveryId])).toEqual([
          ['msg_1', 'msg_1'],
          ['msg_2', 'msg_2'],
        ]);
        const renamed = Object.entries(deliveryHeaders('standard', flat('q_2'), 'msg_3')).map(
          ([name, value]) => [name.replace('webhook-', 'svix-'), value] as const,
        );
        expect(await deliver(flat('q_2'), Object.fromEntries(renamed))).toBe(200);
        expect(handled.at(-1)?.id).toBe('msg_3');
        const forged = { ...deliveryHeaders('standard', flat('q_2'), 'msg_4'), 'webhook-id': 'msg_5' };
        expect(await deliver(flat('q_2'), forged)).toBe(400);
      });
      const body = flat('q_1');
      const headers = signWebhook({ secret: SECRETS.standard, body, scheme: 'standard', id: 'msg_9' });
      expect(new Webhook(SECRETS.standard).verify(body, { ...headers })).toEqual(JSON.parse(body));
    },
    sandbox: async (stage) => {
      const { webhook, deliveries } = await twoEvents(stage, { scheme: 'standard' });
      for (const { headers, body, json } of deliveries) {
        expect(new Webhook(webhook.signing_secret).verify(body, headers)).toEqual(json);
      }
    },
  },
];

const RAMP_KIND = 'ramp.transaction_updated';
const RAMP_STATUSES = ['new', 'paid', 'pending', 'completed', 'failed', 'canceled'];
const RAMP_PAYLOAD = {
  transaction_id: 'rtx_51',
  in_amount: '100',
  in_asset: 'EUR',
  in_method: 'card',
  out_amount: '0.0016',
  out_asset: 'BTC',
  out_method: 'bitcoin',
  wallet_address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  transaction_hash: '2f1e',
  external_user_id: 'customer-1815',
  external_transaction_id: 'order-77',
  timestamp: '2026-03-02T09:15:10.000Z',
};

const KINDS: readonly string[] = [
  ...['quote.executed', 'conversion.withdrawal_completed', 'conversion.quote_execution_failed'],
  ...['price_trigger_swap.executed', 'price_trigger_swap.execution_failed', 'price_trigger_swap.cancelled'],
  ...['wallet.whitelisted', 'deposit.status_updated', 'deposit.completed'],
  ...['withdrawal.status_updated', 'withdrawal.completed', 'withdrawal.failed'],
  ...['transfer.completed', 'transfer.failed', 'swap.completed', 'swap.failed', 'webhook.test'],
  // Of the older edition, and of a third party.
  ...['user.verified', 'user.closed', 'user.disabled', 'quote.execution_failed', 'quote.cancelled'],
  ...['custom_order.executed', 'custom_order.execution_failed', 'custom_order.cancelled', 'reward.paid'],
];

const BAD_URLS = [
  'http://partner.example/hooks',
  'https://user:word@partner.example/',
  `https://a.example/${'a'.repeat(2048)}`,
];

function never(): never {
  throw new Error('nothing was delivered');
}
