import { describe, expect, test } from 'vitest';
import { ANNOUNCED, type Announced } from '../../../src/sandbox/core/basics/changes.js';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { EventReader, type SentEvent } from '../support/event-reader.js';
import { askControl, openSandbox, type Partner, whitelisting } from '../support/partner.js';

const KEY = '3f0e2f3c-9d1b-4c6a-8a57-2f6f3a0f6f11';

const inspected = (): Promise<Partner> => openSandbox({ inspect: true });
const seqs = (events: readonly SentEvent[]) => events.map(({ data }) => data?.seq);

describe('the stream of events', () => {
  test('tells what happens from now on: kind, place and entry of each', async () => {
    const partner = await inspected();
    await partner.get('/v1/webhooks');
    const events = await EventReader.open(partner);
    expect(events.response.headers.get('content-type')).toBe('text/event-stream');
    await partner.get('/nowhere');
    const [event] = await events.take(1);
    expect(event).toMatchObject({ event: 'request', data: { kind: 'request', path: '/nowhere', status: 404 } });
    expect(event?.id).toBe(String(event?.data?.seq));
    expect(event?.data).toEqual(JSON.parse(JSON.stringify(partner.sandbox.journal.at(-1))));
  });

  test('tells first what is kept, after the place that is asked for', async () => {
    const partner = await inspected();
    for (let page = 1; page <= 3; page += 1) await partner.get(`/v1/webhooks?page_size=${page}`);
    const events = await EventReader.open(partner, '?after=1');
    await partner.get('/v1/webhooks?page_size=4');
    expect(seqs(await events.take(3))).toEqual([2, 3, 4]);
  });

  test('goes on after the last event that a client had', async () => {
    const partner = await inspected();
    for (let page = 1; page <= 3; page += 1) await partner.get(`/v1/webhooks?page_size=${page}`);
    const events = await EventReader.open(partner, '?after=0', { 'last-event-id': '2' });
    expect(seqs(await events.take(1))).toEqual([3]);
  });

  test('gives the kinds alone that are asked for', async () => {
    const partner = await inspected();
    const events = await EventReader.open(partner, '?kinds=control,trouble');
    await partner.get('/v1/webhooks');
    await askControl(partner, 'POST clock/advance', [1_000]);
    expect(await events.next()).toMatchObject({ event: 'control', data: { method: 'clock.advance', args: [1_000] } });
  });

  describe('names what has changed without an entry', () => {
    const changes: Readonly<Record<Announced, (sandbox: Sandbox) => unknown>> = {
      assets: ({ assets }) => assets.setTradeLimits('BTC', { minimum: '1' }),
      idempotency: ({ idempotency }) => idempotency.remove(KEY),
      inbox: ({ inbox }) => inbox.answer({ status: 500 }),
      keys: ({ keys, credentials }) => keys.revoke(credentials.apiKey),
      otp: ({ otp }) => otp.set('1'),
      prices: ({ prices }) => prices.set('BTC', '1'),
      settings: ({ settings }) => settings.update({ executionTimes: { 'quote.finish': 5 } }),
      webhooks: ({ webhooks }) => webhooks.register({ url: 'http://localhost:1/' }),
    };

    test.each(ANNOUNCED)('%s', async (part) => {
      const partner = await inspected();
      await partner.send(whitelisting(partner, { 'idempotency-key': KEY }));
      const events = await EventReader.open(partner);
      changes[part](partner.sandbox);
      expect(await events.next()).toEqual({
        event: 'changed',
        id: undefined,
        data: { kind: 'changed', what: [part] },
      });
    });

    test('once for many changes, and a message in an inbox, too', async () => {
      const partner = await inspected();
      const events = await EventReader.open(partner);
      for (let ms = 1; ms <= 100; ms += 1) partner.sandbox.settings.update({ executionTimes: { 'quote.finish': ms } });
      partner.sandbox.otp.set('1');
      await partner.get('/v1/webhooks');
      const [changed, request] = await events.take(2);
      expect(changed?.data).toEqual({ kind: 'changed', what: ['settings', 'otp'] });
      expect(request?.event).toBe('request');
      await fetch(`${partner.url}/_sandbox/inbox/orders`, { method: 'POST', body: '{}' });
      expect((await events.next())?.data).toEqual({ kind: 'changed', what: ['inbox'] });
    });

    test('but not to a reader of some kinds, nor to a program', async () => {
      const partner = await inspected();
      const events = await EventReader.open(partner, '?kinds=request');
      const own = partner.sandbox.events();
      const first = own.next();
      partner.sandbox.settings.update({ quota: { requests: 1_000, perMs: 1_000 } });
      await partner.get('/v1/webhooks');
      expect((await events.next())?.event).toBe('request');
      expect(await first).toMatchObject({ value: { kind: 'request' } });
      await own.return?.();
    });
  });

  test('tells of entries that were gone before they were read', async () => {
    const partner = await inspected();
    for (let page = 1; page <= 3; page += 1) await partner.get(`/v1/webhooks?page_size=${page}`);
    partner.sandbox.requests.clear();
    await partner.get('/v1/webhooks?page_size=4');
    const events = await EventReader.open(partner, '?after=1');
    expect(await events.take(2)).toMatchObject([
      { event: 'gap', id: '3', data: { kind: 'gap', after: 1, next: 4 } },
      { event: 'request', id: '4' },
    ]);
  });

  test.each([
    [undefined, 'gap'],
    [13_000, 'clock'],
  ])('with journalLimit %s, 12,000 entries begin with %s', async (journalLimit, kind) => {
    const { sandbox } = await openSandbox({ inspect: true, journalLimit });
    for (let ms = 0; ms < 12_000; ms += 1) sandbox.clock.advance(1);
    expect(await sandbox.events({ after: 0 }).next()).toMatchObject({ value: { kind } });
  });

  test('tells of a gap to a client that has seen another run of the sandbox', async () => {
    const partner = await inspected();
    await partner.get('/v1/webhooks');
    const events = await EventReader.open(partner, '', { 'last-event-id': '5000' });
    expect(await events.take(2)).toMatchObject([
      { event: 'gap', id: '0', data: { after: 5_000, next: 1 } },
      { event: 'request', id: '1' },
    ]);
  });

  test('ends when the sandbox closes', async () => {
    const partner = await inspected();
    const events = await EventReader.open(partner);
    const end = events.next();
    await partner.sandbox.close();
    expect(await end).toBeUndefined();
  });

  test.each([
    ['?after=soon', /after must be a whole number of at least 0, not a string; filters: after, kinds/],
    ['?kinds=requests', /kinds\.0 must be one of request, change/],
    ['?kind=request', /there is no filter kind, did you mean kinds\?; filters: after, kinds/],
    ['?after=1&after=2', /after is given twice/],
  ])('refuses %s', async (query, message) => {
    const { status, error } = await askControl(await inspected(), `GET events${query}`);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('needs the option inspect, and says so', async () => {
    const partner = await openSandbox();
    const { status, error } = await askControl(partner, 'GET events');
    expect([status, error?.message]).toEqual([409, expect.stringContaining('inspect')]);
    expect(() => partner.sandbox.events()).toThrow(/inspect/);
  });
});

describe('sandbox.events()', () => {
  test('gives the entries one by one, until the loop is left', async () => {
    const { sandbox } = await inspected();
    const heard: string[] = [];
    const events = sandbox.events({ after: 0 });
    await sandbox.fetch(new Request('http://sandbox/nowhere'));
    await sandbox.fetch(new Request('http://sandbox/elsewhere'));
    for await (const event of events) {
      if (event.kind === 'request') heard.push(event.path);
      if (heard.length === 2) break;
    }
    expect(heard).toEqual(['/nowhere', '/elsewhere']);
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test('can be left while it waits', async () => {
    const { sandbox } = await inspected();
    const events = sandbox.events();
    const next = events.next();
    await events.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('ends when the sandbox closes', async () => {
    const { sandbox } = await inspected();
    const events = sandbox.events();
    const next = events.next();
    await sandbox.close();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe('calls of the control plane', () => {
  test('are entries with their arguments, their result and their reason', async () => {
    const partner = await inspected();
    await askControl(partner, 'POST clock/advance', [5]);
    await askControl(partner, 'POST clock/advance', [-1]);
    const events = partner.sandbox.events({ after: 0, kinds: ['control'] });
    expect([(await events.next()).value, (await events.next()).value]).toMatchObject([
      { kind: 'control', method: 'clock.advance', args: [5], status: 200 },
      {
        kind: 'control',
        method: 'clock.advance',
        args: [-1],
        status: 400,
        problem: expect.stringMatching(/ms must be at least 0/),
      },
    ]);
  });

  test('show no secret of their arguments, and no more of them than a reader needs', async () => {
    const partner = await inspected();
    await askControl(partner, 'POST webhooks/register', [
      {
        url: 'http://127.0.0.1:9/',
        events: ['quote.executed'],
        signing_secret: 'not-to-be-seen',
        note: 'x'.repeat(5_000),
      },
    ]);
    const { value } = await partner.sandbox.events({ after: 0 }).next();
    const text = JSON.stringify(value);
    expect(text).toContain('webhooks.register');
    expect(text).not.toContain('not-to-be-seen');
    expect(text.length).toBeLessThan(2_000);
  });
});

describe('health', () => {
  test('tells version, seed, time and age', async () => {
    const partner = await openSandbox({ seed: 7 });
    const { data } = await askControl(partner, 'GET health');
    expect(data).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      seed: 7,
      now: partner.sandbox.clock.now(),
      uptime_ms: expect.any(Number),
      inspect: false,
      timeline_limit: 0,
    });
  });

  test.each([
    [undefined, 10_000],
    [3, 10_000],
    [50_000, 50_000],
    [Number.MAX_SAFE_INTEGER, 100_000],
  ])('with journalLimit %s the timeline keeps %s entries', async (journalLimit, limit) => {
    const partner = await openSandbox({ inspect: true, journalLimit });
    expect(partner.sandbox.health().timeline_limit).toBe(limit);
  });

  test.each(['health', 'fixtures', 'journal', 'clock/now'])('HEAD %s is answered without a body', async (name) => {
    const partner = await openSandbox();
    const answer = await fetch(`${partner.url}/_sandbox/${name}`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test('HEAD of what is called or unknown is refused as GET is', async () => {
    const partner = await openSandbox();
    for (const [name, status] of [
      ['clock/advance', 405],
      ['nothing', 404],
    ] as const) {
      expect((await fetch(`${partner.url}/_sandbox/${name}`, { method: 'HEAD' })).status).toBe(status);
    }
  });

  test.each(['/', '/health', '/healthz'])('an unsigned GET %s is told where to ask', async (path) => {
    const partner = await openSandbox();
    const answer = await fetch(partner.url + path);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('/_sandbox/health')]);
    expect((await partner.get('/')).body.error.causes).toMatchObject([{ message: 'is not one of the API' }]);
  });
});
