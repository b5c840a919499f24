import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FaultKind } from '../../../src/sandbox/index.js';
import { FAULT_NAMES, FAULTS, type FaultName, type When } from '../../../src/sandbox/trouble/fault-table.js';
import { openSandbox, PATIENCE, type Partner, whitelisting } from '../support/partner.js';
import { Pipeline } from '../support/pipeline.js';

let partner: Partner;
beforeEach(async () => {
  partner = await openSandbox();
});

const whitelist = (headers: Record<string, string> = {}, signal?: AbortSignal) =>
  partner.send(whitelisting(partner, headers), signal);
const lastEntry = () => partner.sandbox.journal.at(-1);
const wallets = () => partner.sandbox.wallets.list().length;

/** Ends the wait for an answer that does not come, as soon as the next request has been judged. */
function patienceFor(fault: Kind): AbortSignal {
  const controller = new AbortController();
  const { journal } = partner.sandbox;
  const judged = journal.length;
  if (fault === 'timeout' || fault === 'slow') {
    void expect
      .poll(() => journal.length, PATIENCE)
      .toBeGreaterThan(judged)
      .then(() => controller.abort());
  }
  return controller.signal;
}

/** What the sender sees: the status and the text of an answer, or the name of the failure. */
async function seen(send: Promise<Response>): Promise<string> {
  try {
    const response = await send;
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    const { cause } = error as Error & { cause?: { code?: string } };
    return `failed ${cause?.code ?? (error as Error).name}`;
  }
}

type Kind = FaultKind;
type Expected = [seen: RegExp, status: number | undefined];

/** What the client sees of each named fault, and its default time: one that is missing here does not compile. */
const named: Record<FaultName, [...Expected, When]> = {
  reset: [/^failed (ECONNRESET|UND_ERR_SOCKET)/, undefined, 'before'],
  timeout: [/^failed AbortError/, undefined, 'before'],
  html: [/^502 <html>/, 502, 'before'],
  truncate: [/^failed (UND_ERR_SOCKET|ECONNRESET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/, 200, 'after'],
  empty: [/^200 $/, 200, 'after'],
  garbage: [/^200 \{"data": \{"id": $/, 200, 'after'],
  content_type: [/^200 \{"data":\{/, 200, 'after'],
  slow: [/^failed AbortError/, 200, 'after'],
};

const kinds: [fault: Kind, ...Expected][] = [
  [503, /^503 \{"error":\{"type":"service_error","status":503,.*"code":"unavailable"/, 503],
  [504, /^504 .*"code":"deadline_exceeded"/, 504],
  [500, /^500 .*"code":"internal"/, 500],
  [429, /^429 .*"type":"request_error".*"code":"resource_exhausted"/, 429],
  [403, /^403 .*"type":"service_error".*"code":"gateway"/, 403],
  [418, /^418 .*"code":"bad_request"/, 418],
  [302, /^302 /, 302],
  ...FAULT_NAMES.map((name): [Kind, ...Expected] => [name, named[name][0], named[name][1]]),
];

describe.each(kinds)('%s', (fault, expected, status) => {
  test('before: nothing happens, and the request can be sent again as it was', async () => {
    partner.sandbox.fail({ fault, when: 'before' });
    const request = { ...whitelisting(partner), nonce: 5n };
    expect(await seen(partner.send(request, patienceFor(fault)))).toMatch(expected);
    expect(wallets()).toBe(0);
    expect(lastEntry()).toMatchObject({ verdict: 'fault_before', status, operation: 'accounts.wallets.whitelist' });
    expect((await partner.send(request)).status).toBe(200);
    expect(wallets()).toBe(1);
  });

  test('after: the effect takes place and is remembered under its key', async () => {
    partner.sandbox.fail({ fault, when: 'after' });
    const key = { 'Idempotency-Key': randomUUID() };
    expect(await seen(whitelist(key, patienceFor(fault)))).toMatch(expected);
    expect(wallets()).toBe(1);
    expect(lastEntry()).toMatchObject({ verdict: 'fault_after', status, key: key['Idempotency-Key'] });
    expect(lastEntry()?.isReplay).toBeUndefined();
    partner.sandbox.fail({ fault, when: 'after' });
    expect(await seen(whitelist(key, patienceFor(fault)))).toMatch(expected);
    expect(lastEntry()).toMatchObject({ verdict: 'fault_after', isReplay: true });
    const repeated = await whitelist(key);
    expect(lastEntry()).toMatchObject({ verdict: 'replayed', isReplay: true });
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(wallets()).toBe(1);
  });
});

test.each<[Kind, When]>([
  [503, 'before'],
  [302, 'before'],
  [204, 'after'],
  ...FAULT_NAMES.map((name): [Kind, When] => [name, named[name][2]]),
])('%s applies %s the effect by default', async (fault, when) => {
  partner.sandbox.fail({ fault });
  await seen(whitelist({}, patienceFor(fault)));
  expect(lastEntry()).toMatchObject({ verdict: `fault_${when}` });
  expect(wallets()).toBe(when === 'after' ? 1 : 0);
});

test('what changes a good answer leaves refusals alone by default', async () => {
  const changing = FAULT_NAMES.filter((name) => FAULTS[name].when === 'after');
  expect(changing).toContain('garbage');
  for (const fault of changing) {
    partner.sandbox.fail({ fault });
    expect((await partner.get('/v1/webhooks?page_size=0')).status).toBe(400);
    expect(lastEntry()?.verdict).toBe('bad_request');
  }
});

test('another content type is on the true body', async () => {
  const path = '/v1/webhooks?page_size=2';
  partner.sandbox.fail({ fault: 'content_type' });
  const spoilt = await partner.get(path);
  const whole = await partner.get(path);
  expect(spoilt.headers.get('content-type')).toBe('text/html');
  expect(whole.headers.get('content-type')).toBe('application/json');
  expect(spoilt.body).toEqual(whole.body);
});

test('a truncated answer has the head and the first half of the true one', async () => {
  partner.sandbox.fail({ fault: 'truncate', when: 'after' });
  const response = await partner.send({ method: 'GET', path: '/v1/webhooks?page_size=2' });
  expect(response.status).toBe(200);
  const total = Number(response.headers.get('content-length'));
  let received = 0;
  const reading = (async () => {
    for await (const chunk of response.body ?? []) received += chunk.length;
  })();
  await expect(reading).rejects.toThrow();
  expect(received).toBe(Math.floor(total / 2));
});

describe('on a pipelined connection', () => {
  const user = () => `/v1/users/${partner.sandbox.fixtures.userId}`;
  const limits = () => `${partner.account}/on-demand-conversions?page_size=25`;

  test.each<[Kind]>([['reset'], ['truncate']])('%s comes after the answers before it', async (fault) => {
    partner.sandbox.fail({ fault, operation: 'users.get' });
    const pipeline = new Pipeline(partner, [limits(), limits(), user(), limits()]);
    await pipeline.closed;
    expect(pipeline.statuses()).toEqual(fault === 'reset' ? ['200', '200'] : ['200', '200', '200']);
    expect(pipeline.received.split('\r\n\r\n')[2]).toContain('next_page_token');
  });

  test('a slow answer keeps its place, and the answers after it come when it is whole', async () => {
    partner.sandbox.fail({ fault: 'slow', operation: 'users.get', bytesPerSecond: 5_000 });
    const pipeline = new Pipeline(partner, [limits(), user(), '/v1/webhooks?page_size=0', user()]);
    await expect.poll(() => pipeline.statuses().length, PATIENCE).toBe(4);
    await expect.poll(() => pipeline.bodies().at(-1)?.endsWith('}'), PATIENCE).toBe(true);
    pipeline.leave();
    expect(pipeline.statuses()).toEqual(['200', '200', '400', '200']);
    expect(pipeline.bodies()[1]).toBe(pipeline.bodies()[3]);
  });

  test('a client that leaves a slow answer ends it, and nobody hears of the rest', async () => {
    partner.sandbox.fail({ fault: 'slow', operation: 'users.get', bytesPerSecond: 100 });
    const pipeline = new Pipeline(partner, [limits(), user(), limits()]);
    await expect.poll(() => pipeline.statuses().length, PATIENCE).toBe(2);
    pipeline.leave();
    await pipeline.closed;
    expect((await partner.get('/v1/webhooks')).status).toBe(200);
    const verdicts = partner.sandbox.journal.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['accepted', 'fault_after', 'accepted', 'accepted']);
  });
});

describe('a slow answer', () => {
  const page = { method: 'GET', path: '/v1/webhooks?page_size=1' };

  test('is the true one, its body no sooner than its pace allows', async () => {
    partner.sandbox.fail({ fault: 'slow', bytesPerSecond: 2_000 });
    const begun = performance.now();
    const slow = await (await partner.send(page)).text();
    // A timer may be up to a millisecond early.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(slow.length / 2 - 1);
    expect(slow).toBe(await (await partner.send(page)).text());
  });

  test('has its head at once', async () => {
    partner.sandbox.fail({ fault: 'slow', bytesPerSecond: 0.001 });
    const response = await partner.send(page);
    expect([response.status, Number(response.headers.get('content-length'))]).toEqual([200, expect.any(Number)]);
    await response.body?.cancel();
  });
});

describe('which requests fail', () => {
  const statusOf = async (path: string) => (await partner.get(path)).status;
  const user = () => `/v1/users/${partner.sandbox.fixtures.userId}`;

  test.each(['users.get', 'USERS.GET', 'Get user', 'get USER'])('those of "%s"', async (operation) => {
    partner.sandbox.fail({ operation, fault: 503 });
    expect(await statusOf('/v1/webhooks')).toBe(200);
    expect(await statusOf(user())).toBe(503);
    expect(await statusOf(user())).toBe(200);
  });

  test('every one when no operation is named, also before its signature is looked at', async () => {
    partner.sandbox.fail({ fault: 503, times: 2 });
    expect((await fetch(`${partner.url}/v1/nowhere`)).status).toBe(503);
    expect(await statusOf(user())).toBe(503);
    expect(await statusOf(user())).toBe(200);
  });

  test('as many as asked for, until the fault is taken back', async () => {
    const remove = partner.sandbox.fail({ fault: 503, times: Number.POSITIVE_INFINITY });
    expect(partner.sandbox.troubles.list()).toMatchObject([{ times: 'always', left: 'always' }]);
    for (let index = 0; index < 5; index += 1) expect(await statusOf('/v1/webhooks')).toBe(503);
    remove();
    remove();
    expect(await statusOf('/v1/webhooks')).toBe(200);
  });
});

test('Retry-After is in seconds, with a status and with html', async () => {
  for (const fault of [503, 429, 'html'] as const) {
    partner.sandbox.fail({ fault, retryAfterSeconds: 7 });
    expect((await partner.send({ method: 'GET', path: '/v1/webhooks' })).headers.get('retry-after')).toBe('7');
  }
  partner.sandbox.fail({ fault: 503 });
  expect((await partner.get('/v1/webhooks')).headers.get('retry-after')).toBeNull();
});
