import { request } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ControlCall } from '../../../src/sandbox/index.js';
import { METHODS } from '../../../src/sandbox/serve/control/control-routes.js';
import { askControl, openSandbox, type Partner } from '../support/partner.js';

let partner: Partner;
beforeEach(async () => {
  partner = await openSandbox();
});

const json = { 'content-type': 'application/json' };
const read = (name: string) => askControl(partner, `GET ${name}`);
const call = (name: string, args: unknown, headers?: Record<string, string>) =>
  askControl(partner, `POST ${name}`, args, headers);

describe('the control plane', () => {
  test('is no part of the service: not in the journal, not struck by faults, not held back', async () => {
    partner.sandbox.fail({ fault: 503, times: 2 });
    expect((await read('journal')).data).toEqual([]);
    expect(partner.sandbox.journal).toEqual([]);
  });

  test.each<[string, unknown, RegExp]>([
    ['clock/advance', { ms: 1 }, /JSON array/],
    ['clock/advance', '{', /JSON array/],
    ['troubles/add', [null], /^troubles\.add: options must be an object/],
    ['accounts/add', [], /^accounts\.add takes \[userId, input\?\], not 0 arguments$/],
    ['troubles/clear', [null], /^troubles\.clear takes \[\], not 1 argument$/],
    ['troubles/add', [{ does: 503, match: { operation: 5 } }], /^troubles\.add: match\.operation must be a string/],
    ['quotes/fail', [{}], /quotes\.fail: quoteId must be a string, not an object/],
    ['accounts/convert', ['no-such-account', {}], /accounts\.convert: /],
    ['webhooks/redeliver', ['dlv_none'], /no delivery dlv_none/],
    ['bankLinks/add', ['an-account', { eligible: false }], /^bankLinks\.add: .*eligible/],
  ])('%s with %j is refused, with the reason', async (name, args, message) => {
    const { status, error } = await call(name, args);
    expect(status).toBe(400);
    expect(error?.message).toMatch(message);
  });

  test('calls no method with fewer arguments than it needs or more than it takes', async () => {
    for (const [path, { name, args, needed }] of METHODS) {
      for (const count of [needed - 1, args.length + 1].filter((one) => one >= 0)) {
        const { status, error } = await call(path, Array(count).fill('x'));
        expect([status, error?.message]).toEqual([400, expect.stringContaining(`${name} takes [`)]);
        expect(error?.message).toContain(`], not ${count} argument`);
      }
    }
  });

  test('tells who asked for it what was called, not what was read', async () => {
    const calls: ControlCall[] = [];
    await partner.sandbox.close();
    partner = await openSandbox({ onControl: (made) => calls.push(made) });
    await read('fixtures');
    await call('clock/advance', [1_000]);
    await call('clock/advance', [-1]);
    await call('close', []);
    await call('clock/advance', [1_000], { ...json, origin: 'https://rebound.example' });
    const at = partner.sandbox.clock.now();
    expect(calls).toEqual([
      { method: 'clock.advance', at, status: 200, problem: undefined },
      { method: 'clock.advance', at, status: 400, problem: expect.stringMatching(/ms must be at least 0/) },
    ]);
  });

  test.each([
    ['another name', { host: 'rebound.example' }],
    ['a page of another origin', { origin: 'https://rebound.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['what a browser says another site has asked for', { 'sec-fetch-site': 'cross-site' }],
    ['what a browser says a page of another port has asked for', { 'sec-fetch-site': 'same-site' }],
  ])('is closed to %s, also to reading', async (_, headers) => {
    const send = (method: string, name: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const target = `${partner.url}/_sandbox/${name}`;
        const sent = request(target, { method, headers: { ...json, ...headers } }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode));
        });
        sent.on('error', reject).end(method === 'POST' ? '[1000]' : undefined);
      });
    const before = partner.sandbox.clock.now();
    expect([await send('GET', 'credentials'), await send('POST', 'clock/advance')]).toEqual([403, 403]);
    expect(partner.sandbox.clock.now()).toBe(before);
  });

  test('tells browsers that its answers are for its own origin alone, and of the type that it says', async () => {
    for (const [name, init] of [
      ['credentials', {}],
      ['no-such-member', {}],
      ['clock/advance', { method: 'POST', headers: json, body: '[0]' }],
      ['fixtures', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ] as const) {
      const { headers } = await fetch(`${partner.url}/_sandbox/${name}`, init);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('is open to what a user has typed into a browser, and to a page of its own', async () => {
    for (const site of ['none', 'same-origin']) {
      const { status } = await fetch(`${partner.url}/_sandbox/clock/now`, { headers: { 'sec-fetch-site': site } });
      expect(status).toBe(200);
    }
  });

  test('is open to its own names and to its own origin', async () => {
    const { port } = new URL(partner.url);
    for (const name of ['localhost', '127.0.0.1']) {
      const origin = `http://${name}:${port}`;
      expect((await fetch(`${origin}/_sandbox/clock/now`, { headers: { origin } })).status).toBe(200);
    }
  });

  test.each(['resources/kinds', 'settings/get', 'troubles/list', 'checks/run', 'inbox/url', 'requests/list'])(
    'GET reads %s as POST does',
    async (name) => {
      const read200 = await read(name);
      expect(read200).toMatchObject({ status: 200 });
      expect(read200).toEqual(await call(name, []));
    },
  );

  test.each(['snapshot', 'postings/gone', 'fixtures', 'resources/quotes', 'troubles', 'webhooks/deliveries'])(
    'POST reads %s as GET does',
    async (name) => {
      const posted = await call(name, []);
      expect(posted).toMatchObject({ status: 200 });
      expect(posted).toEqual(await read(name));
    },
  );

  test('both ways of reading take the same filter', async () => {
    await partner.get('/v1/webhooks');
    await partner.get('/v1/unknown');
    for (const name of ['journal', 'requests', 'requests/list']) {
      const filtered = await call(name, [{ status: 404 }]);
      expect(filtered.data).toMatchObject([{ seq: expect.any(Number), status: 404 }]);
      expect(await read(`${name}?status=404`)).toEqual(filtered);
    }
    const quotes = await call('resources/quotes', [{ limit: 1 }]);
    expect(quotes.data).toHaveLength(1);
    expect(await read('resources/quotes?limit=1')).toEqual(quotes);
    expect((await call('inbox/url', ['mine'])).data).toBe((await read('inbox/url?name=mine')).data);
    expect(await call('fixtures', [{}])).toMatchObject({
      status: 400,
      error: { message: 'fixtures takes [], not 1 argument' },
    });
    expect(await call('troubles', [{}])).toMatchObject({ status: 400 });
  });

  test('says what was probably meant or where to look, and how it is asked', async () => {
    expect(await read('close')).toMatchObject({
      status: 404,
      error: { message: 'there is no close; GET control.openapi.json describes what there is' },
    });
    expect(await call('clock/advanse', [1])).toMatchObject({
      status: 404,
      error: { message: 'there is no clock/advanse: did you mean clock/advance?' },
    });
    expect(await read('clock/advance')).toMatchObject({ status: 405 });
    expect(await askControl(partner, 'DELETE fixtures')).toMatchObject({ status: 405 });
    expect(await call('constructor', [])).toMatchObject({ status: 404 });
    expect(await call('clock/advance', [1], { 'content-type': 'text/plain' })).toMatchObject({ status: 400 });
  });
});
