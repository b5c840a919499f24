import { ConfigurationError } from 'partner-sdk';
import { redisReplayGuard } from 'partner-sdk/redis';
import { signWebhook, type WebhookHandlerOptions, webhookHandler } from 'partner-sdk/webhooks';
import { describe, expect, it } from 'vitest';
import { type Client, LIBRARIES, placeOf, sleep } from './support/sources.js';

const SECRET = 'dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==';

/** A delivery as the service sends it again: the same id and body, signed anew. */
const delivery = (id: string, agoSeconds = 0): Request =>
  deliveryOf({ id, type: 'quote.executed', data: { id: 'Q' } }, agoSeconds);

function deliveryOf(payload: object, agoSeconds = 0): Request {
  const body = JSON.stringify(payload);
  const timestampSeconds = Math.floor(Date.now() / 1_000) - agoSeconds;
  const signature = signWebhook({ body, secret: SECRET, timestampSeconds });
  return new Request('http://receiver.test/', {
    method: 'POST',
    headers: { ...signature, 'X-Webhook-ID': 'ep_1' },
    body,
  });
}

describe.each(LIBRARIES)('a replay guard over the client $library', (client) => {
  const place = placeOf<Client>(client, 1);
  let made = 0;

  /** Two processes that receive with one prefix of Redis. */
  function receivers(onEvent: WebhookHandlerOptions['onEvent'], options = {}) {
    made += 1;
    const prefix = `guard-${client.library}-${made}:`;
    const errors: unknown[] = [];
    const make = () =>
      webhookHandler({
        secret: SECRET,
        onEvent,
        onError: (error) => errors.push(error),
        guard: redisReplayGuard(place.client, { prefix, ...options }),
      });
    return { one: make(), other: make(), errors, prefix };
  }

  it('has an event handled by one process alone', async () => {
    const handled: string[] = [];
    const { one, other } = receivers(({ id }) => void handled.push(id ?? ''));
    expect((await one(delivery('e-1'))).status).toBe(200);
    expect((await other(delivery('e-1', 1))).status).toBe(200);
    expect((await one(delivery('e-2'))).status).toBe(200);
    expect(handled).toEqual(['e-1', 'e-2']);
  });

  it('has three flat events of one subscription handled once each, by whichever process', async () => {
    const handled: unknown[] = [];
    const { one, other } = receivers(({ data }) => void handled.push(data['status']));
    for (const receive of [one, other]) {
      for (const status of ['pending', 'held', 'success']) {
        const flat = { event_type: 'withdrawal.status_updated', id: 'W-1', status };
        expect((await receive(deliveryOf(flat))).status).toBe(200);
      }
    }
    expect(handled).toEqual(['pending', 'held', 'success']);
  });

  it('answers 503 while another process handles the event, and 200 after that', async () => {
    let finish = () => {};
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { one, other, errors } = receivers(() => {
      begun();
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const first = one(delivery('e-1'));
    await isBegun;
    expect((await other(delivery('e-1', 1))).status).toBe(503);
    // The same bytes once more: nothing has taken them for handled.
    expect((await other(delivery('e-1', 1))).status).toBe(503);
    finish();
    expect((await first).status).toBe(200);
    expect((await other(delivery('e-1', 1))).status).toBe(200);
    expect(errors).toEqual([]);
  });

  it('has an event handled again after a failure, also by another process', async () => {
    let fails = true;
    const { one, other, errors } = receivers(() => {
      if (fails) throw new Error('the database is down');
    });
    expect((await one(delivery('e-1'))).status).toBe(500);
    fails = false;
    expect((await other(delivery('e-1', 1))).status).toBe(200);
    expect(errors).toHaveLength(1);
  });

  it('has an event handled again that a process was handling when it died', async () => {
    const handled: string[] = [];
    const { one, prefix } = receivers(({ id }) => void handled.push(id ?? ''), { handlingTtl: 300 });
    const dead = redisReplayGuard(place.client, { prefix, handlingTtl: 300 });
    expect(await dead.seen('e-1')).toBe(false);
    expect((await one(delivery('e-1'))).status).toBe(503);
    await expect.poll(async () => (await one(delivery('e-1'))).status).toBe(200);
    expect(handled).toEqual(['e-1']);
  });

  it('takes back its own record alone', async () => {
    const { prefix } = receivers(() => {});
    const [one, other] = [redisReplayGuard(place.client, { prefix }), redisReplayGuard(place.client, { prefix })];
    await one.seen('e-1');
    await other.forget('e-1');
    expect(await other.seen('e-1')).toBe('handling');
    await one.handled('e-1');
    await one.forget('e-1');
    expect(await other.seen('e-1')).toBe(true);
  });

  it('forgets handled events after ttl', async () => {
    const { prefix } = receivers(() => {});
    const guard = redisReplayGuard(place.client, { prefix, ttl: 200 });
    await guard.seen('e-1');
    await guard.handled('e-1');
    expect(await guard.seen('e-1')).toBe(true);
    await sleep(250);
    expect(await guard.seen('e-1')).toBe(false);
  });

  it('refuses unknown and wrong options', () => {
    const bad = { tll: 5 } as object;
    expect(() => redisReplayGuard(place.client, bad)).toThrow(ConfigurationError);
    expect(() => redisReplayGuard(place.client, { ttl: 0 })).toThrow('redisReplayGuard: ttl must be milliseconds');
    expect(() => redisReplayGuard({} as never)).toThrow('must be a client');
  });
});
