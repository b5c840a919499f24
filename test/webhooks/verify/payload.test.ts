import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isWebhookEvent, signWebhook, verifyWebhook, type WebhookScheme } from '../../../src/webhooks/index.js';
import { delivery, reasonOf, refusal, stopClock } from '../support/delivery.js';

beforeAll(() => stopClock());
afterAll(() => vi.useRealTimers());

const read = (payload: unknown, headers: Record<string, string> = {}) =>
  verifyWebhook(delivery(JSON.stringify(payload), headers));

describe('the enveloped payload', () => {
  it('is given with id, type, data and as sent', () => {
    const payload = { id: 'evt_1', type: 'quote.executed', data: { id: 'q-1' }, api_version: '2' };
    expect(read(payload)).toMatchObject({ id: 'evt_1', type: 'quote.executed', data: { id: 'q-1' }, raw: payload });
    expect(read(payload).data).toEqual({ id: 'q-1' });
    expect(read(payload).raw).toEqual(payload);
  });

  it('without an object in data gives its other members as data', () => {
    const event = read({ id: 'W-1', type: 'a.b', data: null });
    expect(event).toMatchObject({ type: 'a.b', data: { id: 'W-1', data: null } });
    expect(event).not.toHaveProperty('id');
    expect(read({ type: 'a.b', amount: '1' }).data).toEqual({ amount: '1' });
  });
});

describe('the flat payload', () => {
  it('is given with its remaining members as data, and as sent', () => {
    const payload = { event_type: 'deposit.completed', amount: '1.50', asset: { symbol: 'BTC' } };
    const event = read(payload);
    expect(event.type).toBe('deposit.completed');
    expect(event.data).toEqual({ amount: '1.50', asset: { symbol: 'BTC' } });
    expect(event.raw).toEqual(payload);
    expect(event).not.toHaveProperty('id');
  });

  it('may have members named type, data and id that belong to the resource', () => {
    const payload = { event_type: 'deposit.completed', type: 'crypto', data: { a: 1 }, id: 'dep-1' };
    const event = read(payload);
    expect(event.type).toBe('deposit.completed');
    expect(event.data).toEqual({ type: 'crypto', data: { a: 1 }, id: 'dep-1' });
    expect(event).not.toHaveProperty('id');
  });

  it('keeps a member named __proto__ as a member', () => {
    const event = verifyWebhook(delivery('{"event_type":"a.b","__proto__":{"admin":true}}'));
    expect(Object.keys(event.data)).toEqual(['__proto__']);
    expect(event.data['admin']).toBeUndefined();
  });
});

describe("the callback of a ramp transaction, in the scheme 'body'", () => {
  const callback = { status: 'paid', payload: { transaction_id: 't-1', in_amount: '100' } };
  const readCallback = (payload: unknown, headers: Record<string, string> = {}, scheme: WebhookScheme = 'body') => {
    const body = JSON.stringify(payload);
    const secret = Buffer.from('the secret of ramp').toString('base64');
    return verifyWebhook({ body, headers: { ...signWebhook({ body, secret, scheme }), ...headers }, secret, scheme });
  };

  it('has a kind by our name, and all it says as data', () => {
    const event = readCallback(callback);
    expect(event).toMatchObject({ type: 'ramp.transaction_updated', data: callback, raw: callback });
    expect(event).not.toHaveProperty('id');
    if (isWebhookEvent(event, 'ramp.transaction_updated')) expect(event.data.payload?.transaction_id).toBe('t-1');
  });

  it('is known by its bytes: each status is an event, whatever the headers say', () => {
    const { deliveryId } = readCallback(callback);
    expect(readCallback(callback, { 'X-Webhook-Event': 'deposit.completed' })).toMatchObject({
      type: 'ramp.transaction_updated',
      deliveryId,
    });
    expect(readCallback({ ...callback, status: 'completed' }).deliveryId).not.toBe(deliveryId);
  });

  it.each([
    ['without status', { payload: { transaction_id: 't-1' } }],
    ['without payload', { status: 'paid' }],
    ['without the id of the transaction', { status: 'paid', payload: {} }],
    ['whose members are of other types', { status: 5, payload: { transaction_id: 5 } }],
  ])('is not seen in a payload %s', (_, payload) => {
    expect(reasonOf(() => readCallback(payload))).toBe('bad_format');
  });

  it('is not seen in a payload that names a kind, nor in another scheme', () => {
    expect(readCallback({ ...callback, event_type: 'a.b' }).type).toBe('a.b');
    expect(readCallback({ ...callback, type: 'a.b' }).type).toBe('a.b');
    for (const scheme of ['timestamped', 'standard'] as const)
      expect(reasonOf(() => readCallback(callback, {}, scheme))).toBe('bad_format');
  });
});

describe('the event kind', () => {
  it('passes when it is unknown', () => {
    expect(read({ type: 'wallet.frozen_by_moonlight', data: {} }).type).toBe('wallet.frozen_by_moonlight');
    expect(read({ event_type: 'another.unknown' }).type).toBe('another.unknown');
  });

  it('comes from the header when the body names none', () => {
    const header = { 'x-webhook-event': 'transfer.failed' };
    expect(read({ data: { a: 1 } }, header)).toMatchObject({ type: 'transfer.failed', data: { a: 1 } });
    expect(read({ type: 5, event_type: null, a: 1 }, header)).toMatchObject({
      type: 'transfer.failed',
      data: { a: 1 },
    });
    expect(read({ type: 'a.b', data: {} }, header).type).toBe('a.b');
    expect(read({ event_type: 'a.b' }, header).type).toBe('a.b');
  });

  it.each([{}, { type: 5 }, { event_type: '' }, { data: {} }])('must be named: %j is badly formed', (payload) => {
    expect(reasonOf(() => read(payload))).toBe('bad_format');
  });
});

describe('a signed body that is no event', () => {
  it.each(['', 'hello', '{"type":', '[]', '[{"type":"a.b"}]', 'null', '"text"', '5', '\u{feff}{"type":"a.b"}'])(
    'is badly formed: %j',
    (body) => {
      expect(reasonOf(() => verifyWebhook(delivery(body)))).toBe('bad_format');
      expect(reasonOf(() => verifyWebhook(delivery(body, { 'X-Webhook-Event': 'a.b' })))).toBe('bad_format');
    },
  );

  it('is badly formed when it is no UTF-8, and never repaired', () => {
    const body = Buffer.from('{"type":"a.b","data":{"name":"\u00ff"}}', 'latin1');
    const error = refusal(() => verifyWebhook(delivery(body)));
    expect(error.reason).toBe('bad_format');
    expect(error.message).toContain('UTF-8');
  });

  it('is a bad signature when it is not signed, however it looks', () => {
    expect(reasonOf(() => verifyWebhook({ ...delivery('{}'), body: 'hello' }))).toBe('bad_signature');
  });
});
