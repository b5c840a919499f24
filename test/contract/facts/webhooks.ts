import { expect } from 'vitest';
import { WEBHOOK_KINDS } from '../../../src/resources/webhook-kinds.js';
import type { Fact } from '../fact.js';
import { IDS } from '../ids.js';
import {
  deliveryHeaders,
  enveloped,
  flat,
  hashOf,
  never,
  twoEvents,
  URL_OF_PARTNER,
  verified,
  withHandlers,
} from '../receiving.js';
import { signCallback } from '../signing.js';

export const webhooks: readonly Fact[] = [
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
    document: [/flat, .* with `event_type` and `timestamp` next to the members/],
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
