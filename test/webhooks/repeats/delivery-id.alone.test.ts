import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  memoryReplayGuard,
  type ReplayGuard,
  signWebhook,
  verifyWebhook,
  type WebhookScheme,
} from '../../../src/webhooks/index.js';
import { type Answered, executed, OK, SECRET, type Send, STYLES } from '../support/receiving.js';

afterEach(() => void vi.restoreAllMocks());

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The header of every delivery to one subscription. */
const SUBSCRIPTION = { 'X-Webhook-ID': 'ep_1' };

const FLAT = ['pending', 'held', 'success'].map((status) =>
  JSON.stringify({ event_type: 'withdrawal.status_updated', id: 'W-1', status }),
);
const [flat = ''] = FLAT;
const enveloped = JSON.stringify(executed('evt_1'));
const withoutId = JSON.stringify(executed());

/** What somebody has recorded on the way: it is sent again byte by byte, but for headers that are not signed. */
function captured(body: string) {
  const signature = signWebhook({ body, secret: SECRET });
  return (send: Send, headers: Record<string, string> = {}): Promise<Answered> =>
    send({ body, headers: { ...signature, ...headers } });
}

const underIds = (count: number): Record<string, string>[] =>
  Array.from({ length: count }, (_, index) => ({ 'X-Webhook-ID': `made-up-${index}` }));

describe('deliveryId', () => {
  const read = (body: string, headers: Record<string, string> = {}, scheme: WebhookScheme = 'timestamped') => {
    const signed = signWebhook({ body, secret: SECRET, scheme, ...(scheme === 'standard' ? { id: 'msg_1' } : {}) });
    return verifyWebhook({ body, headers: { ...signed, ...headers }, secret: SECRET, scheme });
  };
  const ofHeader = '{"data":{"amount":"1"},"id":"W-1"}';
  const kind = { 'X-Webhook-Event': 'deposit.completed' };

  it.each([
    ['the signed id of an envelope', enveloped, {}, 'timestamped', 'evt_1', 'evt_1'],
    ['the hash of an envelope without id', withoutId, {}, 'timestamped', undefined, hashOf(withoutId)],
    ['the hash of the flat form, whose id is the resource', flat, {}, 'timestamped', undefined, hashOf(flat)],
    [
      'the hash of a kind without data',
      '{"type":"a.b","id":"x"}',
      {},
      'timestamped',
      undefined,
      hashOf('{"type":"a.b","id":"x"}'),
    ],
    ['the hash in the scheme body', flat, {}, 'body', undefined, hashOf(flat)],
    [
      'the hash of the header’s kind and the body',
      ofHeader,
      kind,
      'timestamped',
      undefined,
      hashOf(`deposit.completed\n${ofHeader}`),
    ],
    ['webhook-id of an envelope in the scheme standard', enveloped, {}, 'standard', 'msg_1', 'msg_1'],
    ['webhook-id of the flat form', flat, {}, 'standard', 'msg_1', 'msg_1'],
    ['webhook-id of a kind in the header', ofHeader, kind, 'standard', 'msg_1', 'msg_1'],
  ] as const)('is %s', (_, body, headers, scheme, id, deliveryId) => {
    const event = read(body, { ...headers, ...SUBSCRIPTION }, scheme);
    expect(event).toMatchObject({ deliveryId, webhookId: 'ep_1', body });
    expect(event.id).toBe(id);
    expect(Object.hasOwn(event, 'id')).toBe(id !== undefined);
    expect(read(body, headers, scheme)).not.toHaveProperty('webhookId');
  });

  it('stays the same whatever unsigned headers say, if the kind is signed', () => {
    const names = fc.constantFrom(
      'X-Webhook-ID',
      'X-Webhook-Event',
      'x-webhook-timestamp',
      'webhook-id',
      'svix-id',
      'id',
    );
    const headers = fc.dictionary(names, fc.string());
    const bodies = fc.oneof(
      fc.record(
        { event_type: fc.constant('a.b'), id: fc.string(), type: fc.jsonValue() },
        { requiredKeys: ['event_type'] },
      ),
      fc.record({ type: fc.constant('a.b'), id: fc.jsonValue(), data: fc.jsonValue() }, { requiredKeys: ['type'] }),
    );
    const property = fc.property(bodies, headers, (payload, unsigned) => {
      const body = JSON.stringify(payload);
      const plain = read(body);
      expect(read(body, unsigned)).toMatchObject({ type: plain.type, deliveryId: plain.deliveryId });
    });
    fc.assert(property);
  });
});

describe.each(STYLES)('%s', (_, style) => {
  it('handles three flat events of one subscription, and no duplicate of them', async () => {
    const handled: unknown[] = [];
    await style({ secret: SECRET, onEvent: ({ data }) => void handled.push(data['status']) }, async (send) => {
      const sends = FLAT.map(captured);
      for (const again of [...sends, ...sends]) expect(await again(send, SUBSCRIPTION)).toEqual(OK);
    });
    expect(handled).toEqual(['pending', 'held', 'success']);
  });

  it.each([
    ['in the flat form', flat],
    ['with an id of its own', enveloped],
    ['without id', withoutId],
  ])('handles a delivery %s once, also if it is sent again under other headers', async (__, body) => {
    let handled = 0;
    await style({ secret: SECRET, onEvent: () => void handled++ }, async (send) => {
      const again = captured(body);
      for (const headers of [{}, {}, ...underIds(3), { 'X-Webhook-Event': 'other' }])
        expect(await again(send, headers)).toEqual(OK);
    });
    expect(handled).toBe(1);
  });

  it('handles the same bytes once for each kind that only the header names', async () => {
    const handled: string[] = [];
    await style({ secret: SECRET, onEvent: ({ type }) => void handled.push(type) }, async (send) => {
      const again = captured('{"amount":"1"}');
      for (const kind of ['a.b', 'a.b', 'c.d', 'a.b']) await again(send, { 'X-Webhook-Event': kind });
    });
    expect(handled).toEqual(['a.b', 'c.d']);
  });

  it('handles a delivery once that is sent again by another of its signatures', async () => {
    const secrets = [SECRET, Buffer.from('the other signing secret').toString('base64')];
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const [one, other] = secrets.map((secret) => signWebhook({ body: flat, secret, timestampSeconds })['X-Signature']);
    let handled = 0;
    await style({ secrets, onEvent: () => void handled++ }, async (send) => {
      for (const signature of [`${one},${other?.split(',')[1]}`, other, one])
        expect(await send({ body: flat, headers: { 'X-Signature': String(signature) } })).toEqual(OK);
    });
    expect(handled).toBe(1);
  });

  it('asks the guard for the one deliveryId of all duplicates, so that they take one place in its memory', async () => {
    const store = memoryReplayGuard({ limit: 2 });
    const asked: string[] = [];
    const guard: ReplayGuard = { seen: (id) => asked.push(id) > 0 && store.seen(id), forget: store.forget };
    let handled = 0;
    await style({ secret: SECRET, guard, onEvent: () => void handled++ }, async (send) => {
      expect(await captured(enveloped)(send)).toEqual(OK);
      for (const headers of underIds(3)) expect(await captured(flat)(send, headers)).toEqual(OK);
      expect(await captured(enveloped)(send)).toEqual(OK);
    });
    expect(asked).toEqual(['evt_1', hashOf(flat), hashOf(flat), hashOf(flat), 'evt_1']);
    expect(handled).toBe(2);
  });
});
