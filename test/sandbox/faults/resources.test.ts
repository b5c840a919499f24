import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FaultOptions } from '../../../src/sandbox/index.js';
import { askControl, bodies, openSandbox, type Partner, sharedSandbox, whitelisting } from '../support/partner.js';

let partner: Partner;
beforeAll(async () => {
  partner = await sharedSandbox();
});
beforeEach(() => partner.sandbox.reset());

const add = (options: FaultOptions) => partner.sandbox.faults.add(options);
const statusOf = async (path: string) => (await partner.get(path)).status;
const user = () => `/v1/users/${partner.sandbox.fixtures.userId}`;
const ask = (line: string, ...args: readonly unknown[]) =>
  askControl(partner, line, line.startsWith('POST') ? args : undefined);

describe('over HTTP', () => {
  test('a fault is added, listed with its hits, read, taken back', async () => {
    const added = await ask('POST faults/add', {
      operation: 'users.get',
      fault: 503,
      times: 3,
      match: { path: user() },
    });
    expect(added.status).toBe(200);
    expect(await statusOf(user())).toBe(503);
    const { data } = await ask('GET faults');
    expect(data).toEqual([
      {
        ...{ id: 'fault_1', operation: 'users.get', fault: 503, when: 'before', times: 3, match: { path: user() } },
        ...{ at: partner.sandbox.clock.now(), real: expect.any(Number), applied: 1, left: 2 },
      },
    ]);
    expect((await ask('GET faults/fault_1')).data).toMatchObject({ applied: 1, left: 2 });
    expect((await ask('DELETE faults/fault_1')).status).toBe(200);
    expect(await statusOf(user())).toBe(200);
    expect(await ask('GET faults')).toEqual({ status: 200, data: [] });
    expect((await ask('DELETE faults/fault_1')).status).toBe(404);
    expect((await ask('GET faults/fault_1')).status).toBe(404);
  });

  test('times may be "always"', async () => {
    await ask('POST faults/add', { fault: 503, times: 'always' });
    for (let turn = 0; turn < 5; turn += 1) expect(await statusOf(user())).toBe(503);
    expect((await ask('GET faults')).data).toMatchObject([{ times: 'always', applied: 5, left: 'always' }]);
  });

  test.each<[object, string]>([
    [{ times: 'ever' }, 'times must be a whole number of 1 or more, or "always"'],
    [{ times: null }, 'times must be a whole number of 1 or more, or "always"'],
    [{ match: { user: 'u' } }, 'match.user is not an option; known are account, apiKey, key, nth, path'],
    [{ match: { acount: 'u' } }, 'match.acount is not an option: did you mean account?'],
    [{ match: { nth: 0 } }, 'match.nth must be a whole number of 1 or more'],
    [{ match: { path: '' } }, 'match.path must be text'],
    [{ match: [] }, 'match must be an object'],
    [{ for: 0 }, 'for must be milliseconds above 0'],
    [{ afterMs: -1 }, 'afterMs must be milliseconds from 0'],
    [{ retryAfterSeconds: 'left' }, 'retryAfterSeconds can be "left" only with for'],
    [{ retryAfterSeconds: 'soon' }, 'retryAfterSeconds must be 0 or more seconds, or "left"'],
    [{ causes: [] }, 'causes must be a list of { field, message }'],
    [{ causes: [{ field: 'a' }] }, 'causes must be a list of { field, message }'],
    [{ fault: 'reset', type: 'x' }, 'type is for a status of 400 or more'],
    [{ fault: 302, docUrl: 'x' }, 'docUrl is for a status of 400 or more'],
    [{ code: '' }, 'code must be text of 1 to 100 characters'],
  ])('%j is refused in a sentence', async (options, message) => {
    const { status, error } = await ask('POST faults/add', { fault: 503, ...options });
    expect([status, error?.message]).toEqual([400, expect.stringContaining(`faults.add: ${message}`)]);
    expect((await ask('GET faults')).data).toEqual([]);
  });
});

describe('match: it strikes only the requests', () => {
  test('of an account', async () => {
    const { accountId, secondaryAccountId } = partner.sandbox.fixtures;
    add({ fault: 503, times: 'always', match: { account: secondaryAccountId } });
    expect(await statusOf(`/v1/accounts/${accountId}/portfolio/details`)).toBe(200);
    expect(await statusOf(`/v1/accounts/${secondaryAccountId}/portfolio/details`)).toBe(503);
    expect(await statusOf(user())).toBe(200);
  });

  test('of an API key', async () => {
    const other = new (partner.constructor as typeof Partner)(
      partner.sandbox,
      partner.url,
      partner.sandbox.keys.issue(),
    );
    add({ fault: 503, times: 'always', match: { apiKey: other.credentials.apiKey } });
    expect([await statusOf(user()), (await other.get(user())).status]).toEqual([200, 503]);
  });

  test('with an idempotency key, in either case', async () => {
    const key = randomUUID();
    add({ fault: 503, match: { key: key.toUpperCase() } });
    const send = async (given: string) =>
      (await partner.call(whitelisting(partner, { 'Idempotency-Key': given }))).status;
    expect([await send(randomUUID()), await send(key), await send(key)]).toEqual([200, 503, 200]);
  });

  test('of a path, with any query; or of all that begin so', async () => {
    add({ fault: 503, times: 'always', match: { path: '/v1/webhooks' } });
    add({ fault: 500, times: 'always', match: { path: '/v1/users/*' } });
    expect(await statusOf('/v1/webhooks?page_size=1')).toBe(503);
    expect(await statusOf(user())).toBe(500);
    expect(await statusOf(`${user()}/verifications`)).toBe(500);
    expect(await statusOf('/v1/webhooks/x')).toBe(404);
  });

  test('from the nth that matches', async () => {
    add({ fault: 503, operation: 'users.get', match: { nth: 3 } });
    const seen: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      seen.push(await statusOf(user()));
      expect(await statusOf('/v1/webhooks')).toBe(200);
    }
    expect(seen).toEqual([200, 200, 503, 200, 200]);
    add({ fault: 503, when: 'after', times: 2, match: { nth: 2 } });
    // Requests that are refused are none of those that a fault after the effect counts.
    expect(await statusOf('/v1/webhooks?page_size=0')).toBe(400);
    expect([await statusOf(user()), await statusOf(user()), await statusOf(user()), await statusOf(user())]).toEqual([
      200, 503, 503, 200,
    ]);
  });

  test('of which all that is said is true', async () => {
    const { accountId } = partner.sandbox.fixtures;
    add({ fault: 503, operation: 'accounts.quotes.create', match: { account: accountId, path: '/v1/accounts/*' } });
    expect(await statusOf(`${partner.account}/portfolio/details`)).toBe(200);
    expect((await partner.post(`${partner.account}/quotes`, bodies.quote)).status).toBe(503);
  });
});

describe('a window of time', () => {
  test('ends by the clock of the sandbox; it applies to every request in it, which is told how long it lasts', async () => {
    const { id } = add({ fault: 503, for: 60_000, retryAfterSeconds: 'left' });
    const retryAfter = async () => (await partner.send({ method: 'GET', path: user() })).headers.get('retry-after');
    expect(await retryAfter()).toBe('60');
    partner.sandbox.advance(58_500);
    expect(await retryAfter()).toBe('2');
    expect(partner.sandbox.faults.list()).toMatchObject([{ id, times: 'always', applied: 2 }]);
    partner.sandbox.advance(1_499);
    expect(await statusOf(user())).toBe(503);
    partner.sandbox.advance(1);
    expect(await statusOf(user())).toBe(200);
    expect(partner.sandbox.faults.list()).toEqual([]);
  });

  test('may begin later', async () => {
    add({ fault: 503, afterMs: 1_000, for: 1_000 });
    expect(await statusOf(user())).toBe(200);
    partner.sandbox.advance(1_000);
    expect(await statusOf(user())).toBe(503);
    partner.sandbox.advance(1_000);
    expect(await statusOf(user())).toBe(200);
  });

  test('is in no snapshot, as faults belong to one run', () => {
    add({ fault: 503, for: 60_000 });
    expect(JSON.stringify(partner.sandbox.snapshot())).not.toContain('fault');
  });
});

test('an error may have its own code, type, causes and documentation', async () => {
  const causes = [{ field: 'limit', message: 'is used up' }];
  add({ fault: 422, code: 'limit_reached', type: 'limit_error', causes, docUrl: 'https://docs.example/limits' });
  const { status, body } = await partner.get(user());
  expect([status, body.error]).toEqual([
    422,
    {
      ...{ type: 'limit_error', status: 422, code: 'limit_reached', instance: expect.stringMatching(/^req_/) },
      ...{ doc_url: 'https://docs.example/limits', causes },
    },
  ]);
});

test('the journal names the fault that applied, the timeline when it began, applied and ended', async () => {
  const inspected = await openSandbox({ inspect: true });
  const { sandbox } = inspected;
  sandbox.faults.add({ fault: 418 });
  sandbox.faults.add({ fault: 503, for: 1_000 });
  await inspected.get('/v1/webhooks');
  await inspected.get('/v1/webhooks');
  sandbox.advance(1_000);
  expect(sandbox.journal.map(({ faultId }) => faultId)).toEqual(['fault_1', 'fault_2']);
});
