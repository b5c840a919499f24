import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TroubleOptions } from '../../../src/sandbox/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { askControl, bodies, Partner, sharedSandbox, whitelisting } from '../support/partner.js';

const partner = await sharedSandbox();
beforeEach(() => partner.sandbox.reset());

const add = (options: TroubleOptions) => partner.sandbox.troubles.add(options);
const statusOf = async (path: string) => (await partner.get(path)).status;
const user = () => `/v1/users/${partner.sandbox.fixtures.userId}`;
const ask = (line: string, ...args: readonly unknown[]) =>
  askControl(partner, line, line.startsWith('POST') ? args : undefined);

describe('over HTTP', () => {
  test('a trouble is added, listed with its counts, read, removed', async () => {
    const options = { match: { operation: 'users.get', path: user() }, does: 503, times: 3 };
    const added = await ask('POST troubles/add', options);
    expect(added.status).toBe(200);
    expect(await statusOf(user())).toBe(503);
    const { data } = await ask('GET troubles');
    expect(data).toEqual([{ ...added.data, applied: 1, left: 2 }]);
    expect(added.data).toEqual({
      ...options,
      when: 'before',
      id: 'trouble_1',
      at: partner.sandbox.clock.now(),
      real: expect.any(Number),
      applied: 0,
      left: 3,
    });
    expect((await ask('GET troubles/trouble_1')).data).toEqual(data[0]);
    expect((await ask('DELETE troubles/trouble_1')).status).toBe(200);
    expect(await statusOf(user())).toBe(200);
    expect(await ask('GET troubles')).toEqual({ status: 200, data: [] });
    expect((await ask('DELETE troubles/trouble_1')).status).toBe(404);
    expect((await ask('GET troubles/trouble_1')).status).toBe(404);
  });

  test('times may be "always"', async () => {
    await ask('POST troubles/add', { does: 503, times: 'always' });
    for (let turn = 0; turn < 5; turn += 1) expect(await statusOf(user())).toBe(503);
    expect((await ask('GET troubles')).data).toMatchObject([{ times: 'always', applied: 5, left: 'always' }]);
  });

  test('a wrong one is answered 400 with what its options must be', async () => {
    expect(await ask('POST troubles/add', { does: { delayMs: [3, 2] } })).toEqual({
      status: 400,
      error: { message: 'troubles.add: does.delayMs must have the least first' },
    });
    expect((await ask('GET troubles')).data).toEqual([]);
  });
});

const execute = { operation: 'accounts.quotes.execute' };

test.each<[object, string]>([
  [{}, 'does must be a status from 200 to 599, one of reset, timeout, '],
  [{ does: 'explode' }, 'does must be a status from 200 to 599, one of reset, timeout, '],
  [{ does: 'toString' }, 'does must be a status from 200 to 599, one of reset, timeout, '],
  [{ does: { fault: 503, delayMs: 1 } }, 'does must be a status from 200 to 599, one of reset, timeout, '],
  [{ does: 600 }, 'does must be a whole number from 200 to 599'],
  [{ does: 503, times: 'ever' }, 'times must be a whole number of 1 or more, or "always"'],
  [{ does: 503, probability: 0 }, 'probability must be above 0, at most 1'],
  [{ does: 503, forMs: 0 }, 'forMs must be a whole number from 1'],
  [{ does: 503, when: 'during' }, 'when must be one of before, after'],
  [{ does: 'chaos', when: 'after' }, 'when is for a fault'],
  [{ does: { delayMs: 1 }, when: 'before' }, 'when is for a fault'],
  [{ does: { delayMs: 2 ** 31 } }, 'does.delayMs must be from 0 to 2147483647'],
  [{ does: { fault: 503, retryAfterSeconds: 'left' } }, 'retryAfterSeconds can be "left" only with forMs'],
  [{ does: { fault: 503, retryAfterSeconds: 'soon' } }, 'does.retryAfterSeconds must be 0 or more seconds, or "left"'],
  [{ does: { fault: 'slow', bytesPerSecond: 0 } }, 'does.bytesPerSecond must be above 0'],
  [{ does: { fault: 403, code: 'x'.repeat(101) } }, 'does.code must have 1 to 100 characters'],
  [{ does: { fault: 503, causes: [] } }, 'does.causes must have at least 1 item'],
  [{ does: { fault: 'reset', type: 'x' } }, 'type is for a status of 400 or more'],
  [{ does: { fault: 302, docUrl: 'x' } }, 'docUrl is for a status of 400 or more'],
  [{ does: { fault: 204, code: 'forbidden' } }, 'code is for a status of 400 or more'],
  [{ does: { fault: 204, causes: [{ field: 'a', message: 'b' }] } }, 'causes is for a status of 400 or more'],
  [{ does: 503, match: { acountId: 'u' } }, 'match must not have acountId: did you mean accountId?'],
  [{ does: 503, match: { nth: 0 } }, 'match.nth must be a whole number of at least 1'],
  [{ does: 503, match: { event: 'quote.executed' } }, 'match.event is not for a fault, which has operation, accountId'],
  [{ does: { delayMs: 1 }, match: { eventId: 'e' } }, 'match.eventId is not for a delay, which has operation'],
  [
    { does: { delivery: { drop: true } }, match: { accountId: 'a' } },
    'match.accountId is not for a delivery, which has webhookId, event, eventId, nth',
  ],
  [{ does: { outcome: 'failed' } }, 'an outcome needs match.operation. Operations with outcomes: users.verifications'],
  [{ does: { outcome: 'explode' }, match: execute }, 'accounts.quotes.execute has no outcome "explode". Known: failed'],
  [{ does: { outcome: 'toString' }, match: execute }, 'accounts.quotes.execute has no outcome "toString"'],
  [{ does: { outcome: 'failed' }, match: { operation: 'quotes.get' } }, 'accounts.quotes.get has no outcomes.'],
  [{ does: { outcome: 'failed', afterMs: 5 }, match: execute }, 'afterMs is not for accounts.quotes.execute failed'],
  [{ does: { outcome: 'slow', reason: 'x' }, match: execute }, 'reason is not for accounts.quotes.execute slow'],
])('%j is refused', (options, message) => {
  expect(() => add(options as TroubleOptions)).toThrow(TypeError);
  expect(() => add(options as TroubleOptions)).toThrow(`troubles.add: ${message}`);
  expect(partner.sandbox.troubles.list()).toEqual([]);
  expect(() => directSandbox({ troubles: [options as TroubleOptions] })).toThrow(/^createSandbox: troubles/);
});

describe('an operation', () => {
  test('may be named by the end of its name, if it is the only one', async () => {
    add({ match: { operation: 'quotes.get' }, does: 503 });
    expect(await statusOf('/v1/webhooks')).toBe(200);
    expect(await statusOf(`${partner.account}/quotes/${partner.sandbox.fixtures.quoteId}`)).toBe(503);
  });

  test.each([
    ['get', /^troubles\.add: there is no operation "get"/],
    ['otes.get', /^troubles\.add: there is no operation "otes\.get"/],
    ['quotes.gte', /"quotes\.gte": did you mean accounts\.quotes\.get\?$/],
    ['accounts.qoutes.create', /: did you mean accounts\.quotes\.create\?$/],
    ['webhooks.creat', /: did you mean webhooks\.create\?$/],
    // Several end like this one, so all are listed and none is guessed.
    ['transactions.lst', /\. Known: .*portfolio\.transactions\.list .*funds\.transactions\.list \(/],
  ])('that is named "%s" is refused', (operation, message) => {
    expect(() => add({ match: { operation }, does: 503 })).toThrow(message);
  });
});

describe('match: it applies only to the requests', () => {
  const lists = (accountId: string) => statusOf(`/v1/accounts/${accountId}/portfolio/details`);

  test('of an account', async () => {
    const { accountId, secondaryAccountId } = partner.sandbox.fixtures;
    add({ does: 503, times: 'always', match: { accountId: secondaryAccountId } });
    expect([await lists(accountId), await lists(secondaryAccountId), await statusOf(user())]).toEqual([200, 503, 200]);
  });

  test('of a user and of the accounts of the user', async () => {
    const { userId, accountId } = partner.sandbox.fixtures;
    const other = partner.sandbox.users.add({ external_reference: 'other' });
    const both = async () => [
      ...[await statusOf(user()), await lists(accountId), await statusOf(`${user()}/verifications`)],
      ...[
        await statusOf(`/v1/users/${other.id}`),
        await lists(other.accounts[0]?.id ?? ''),
        await statusOf('/v1/webhooks'),
      ],
    ];
    const { id } = add({ does: 503, times: 'always', match: { userId } });
    expect(await both()).toEqual([503, 503, 503, 200, 200, 200]);
    partner.sandbox.troubles.remove(id);
    add({ does: 503, times: 'always', match: { userId: other.id } });
    expect(await both()).toEqual([200, 200, 200, 503, 503, 200]);
  });

  test('of a webhook', async () => {
    const [one, other] = ['https://one.example', 'https://other.example'].map(
      (url) => partner.sandbox.webhooks.register({ url }).id,
    );
    add({ does: 503, times: 'always', match: { webhookId: one } });
    const change = async (id = '') =>
      (await partner.call({ method: 'PATCH', path: `/v1/webhooks/${id}`, body: { disabled: true } })).status;
    expect([await change(one), await change(other), await statusOf('/v1/webhooks')]).toEqual([503, 200, 200]);
  });

  test('of an API key', async () => {
    const other = new Partner(partner.sandbox, partner.url, partner.sandbox.keys.issue());
    add({ does: 503, times: 'always', match: { apiKey: other.credentials.apiKey } });
    expect([await statusOf(user()), (await other.get(user())).status]).toEqual([200, 503]);
  });

  test('with an idempotency key, in either case', async () => {
    const key = randomUUID();
    add({ does: 503, match: { idempotencyKey: key.toUpperCase() } });
    const send = async (given: string) =>
      (await partner.call(whitelisting(partner, { 'Idempotency-Key': given }))).status;
    expect([await send(randomUUID()), await send(key), await send(key)]).toEqual([200, 503, 200]);
  });

  test('of a path, with any query; or of all that begin so', async () => {
    add({ does: 503, times: 'always', match: { path: '/v1/webhooks' } });
    add({ does: 500, times: 'always', match: { path: '/v1/users/*' } });
    expect(await statusOf('/v1/webhooks?page_size=1')).toBe(503);
    expect(await statusOf(user())).toBe(500);
    expect(await statusOf(`${user()}/verifications`)).toBe(500);
    expect(await statusOf('/v1/webhooks/x')).toBe(404);
  });

  test('from the nth that matches', async () => {
    add({ does: 503, match: { operation: 'users.get', nth: 3 } });
    const seen: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      seen.push(await statusOf(user()));
      expect(await statusOf('/v1/webhooks')).toBe(200);
    }
    expect(seen).toEqual([200, 200, 503, 200, 200]);
    add({ does: 503, when: 'after', times: 2, match: { nth: 2 } });
    // Requests that are refused are none of those that a fault after the effect counts.
    expect(await statusOf('/v1/webhooks?page_size=0')).toBe(400);
    expect([await statusOf(user()), await statusOf(user()), await statusOf(user()), await statusOf(user())]).toEqual([
      200, 503, 503, 200,
    ]);
  });

  test('of which all that is said is true', async () => {
    const { accountId } = partner.sandbox.fixtures;
    add({ does: 503, match: { operation: 'accounts.quotes.create', accountId, path: '/v1/accounts/*' } });
    expect(await statusOf(`${partner.account}/portfolio/details`)).toBe(200);
    expect((await partner.post(`${partner.account}/quotes`, bodies.quote)).status).toBe(503);
  });
});

describe('a window of time', () => {
  test('ends by the clock of the sandbox; it applies to every request in it, which is told how long it lasts', async () => {
    const { id } = add({ does: { fault: 503, retryAfterSeconds: 'left' }, forMs: 60_000 });
    const retryAfter = async () => (await partner.send({ method: 'GET', path: user() })).headers.get('retry-after');
    expect(await retryAfter()).toBe('60');
    partner.sandbox.advance(58_500);
    expect(await retryAfter()).toBe('2');
    expect(partner.sandbox.troubles.list()).toMatchObject([{ id, times: 'always', applied: 2 }]);
    partner.sandbox.advance(1_499);
    expect(await statusOf(user())).toBe(503);
    partner.sandbox.advance(1);
    expect(await statusOf(user())).toBe(200);
    expect(partner.sandbox.troubles.list()).toEqual([]);
  });

  test('may begin later', async () => {
    const { at, from, until } = add({ does: 503, afterMs: 1_000, forMs: 1_000 });
    expect([from, until]).toEqual([at + 1_000, at + 2_000]);
    expect(await statusOf(user())).toBe(200);
    partner.sandbox.advance(1_000);
    expect(await statusOf(user())).toBe(503);
    partner.sandbox.advance(1_000);
    expect(await statusOf(user())).toBe(200);
  });

  test('is in no snapshot, as troubles belong to one run', () => {
    add({ does: 503, forMs: 60_000 });
    expect(JSON.stringify(partner.sandbox.snapshot())).not.toContain('trouble');
  });
});

test('an error may have its own code, type, causes and documentation', async () => {
  const causes = [{ field: 'limit', message: 'is used up' }];
  const docUrl = 'https://docs.example/limits';
  add({ does: { fault: 422, code: 'limit_reached', type: 'limit_error', causes, docUrl } });
  const { status, body } = await partner.get(user());
  const instance = expect.stringMatching(/^req_/);
  expect([status, body.error]).toEqual([
    422,
    { type: 'limit_error', status: 422, code: 'limit_reached', instance, doc_url: docUrl, causes },
  ]);
});

describe('troubles that are removed apply no more', () => {
  test('one, or all; what has ended cannot be removed', async () => {
    const { troubles } = partner.sandbox;
    const { id } = add({ does: 500, times: 'always' });
    const end = partner.sandbox.fail({ fault: 503, times: 'always' });
    troubles.remove(id);
    expect(() => troubles.remove(id)).toThrow(`troubles.remove: there is no trouble ${id}`);
    expect(await statusOf(user())).toBe(503);
    add({ does: { delayMs: 1 } });
    add({ does: 'chaos', forMs: 1_000 });
    troubles.clear();
    end();
    troubles.clear();
    expect([troubles.list(), await statusOf(user())]).toEqual([[], 200]);
  });

  test('those of createSandbox go with the others, and come back with a reset', async () => {
    const { sandbox } = directSandbox({
      troubles: [
        { does: 418, times: 'always' },
        { does: 503, forMs: 1_000 },
      ],
    });
    const shown = sandbox.troubles.list();
    expect(shown).toMatchObject([
      { id: 'trouble_1', does: 418 },
      { id: 'trouble_2', forMs: 1_000 },
    ]);
    sandbox.troubles.add({ does: 'reset' });
    sandbox.troubles.clear();
    expect(sandbox.troubles.list()).toEqual([]);
    sandbox.reset();
    expect(sandbox.troubles.list()).toEqual(shown.map((one) => ({ ...one, real: expect.any(Number) })));
    sandbox.advance(1_000);
    expect(sandbox.troubles.list()).toMatchObject([{ id: 'trouble_1' }]);
  });
});

test('the journal names the trouble whose fault applied', async () => {
  add({ does: { delayMs: 1 } });
  add({ does: 418 });
  add({ does: 503, forMs: 1_000 });
  for (let turn = 0; turn < 2; turn += 1) await partner.get('/v1/webhooks');
  expect(partner.sandbox.journal.map(({ fault, faultId }) => [fault, faultId])).toEqual([
    [418, 'trouble_2'],
    [503, 'trouble_3'],
  ]);
});
