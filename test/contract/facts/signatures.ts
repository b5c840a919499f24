import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { signWebhook, verifyWebhook } from '../../../src/webhooks/index.js';
import type { Fact } from '../fact.js';
import {
  deliveryHeaders,
  enveloped,
  flat,
  never,
  SECRETS,
  twoEvents,
  URL_OF_PARTNER,
  verified,
  withHandlers,
} from '../receiving.js';
import { signCallback, signDelivery } from '../signing.js';

const VECTOR = {
  secret: 'dGVzdC1zZWNyZXQtcGxlYXNlLWlnbm9yZQ==',
  seconds: 1_734_567_890,
  body: '{"event_type":"webhook.test","message":"This is a test webhook event to verify your endpoint configuration."}',
  v1: '1ef668d4f2ef42f82d076fcdd4b6320d5d956df364588a36a00d1e3027744654',
};

export const signatures: readonly Fact[] = [
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
    document: [/hex HMAC-SHA256 of only the body/],
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
