import { describe, expect, it } from 'vitest';
import type { Hooks, PartnerClient } from '../../../src/index.js';
import { ResponseValidationError } from '../../../src/index.js';
import { ACCOUNT, failure, GET, KEYED, REPEATABLE, scene, USER, WAYS } from '../../support/scene.js';
import { type Answer, json, userOf } from '../../support/service.js';

const text = JSON.stringify({ data: userOf(USER) });

/** Bodies of a 2xx to a read that no parser takes. */
const SPOILED: readonly (readonly [string, Answer])[] = [
  ['HTML', { headers: { 'content-type': 'text/html' }, body: '<html>maintenance</html>' }],
  ['nothing', { status: 200 }],
  ['204', { status: 204 }],
  ['white space', { body: ' \n' }],
  ['JSON that was cut short', { body: text.slice(0, -9) }],
  ['JSON and more', { body: `${text}<!-- cached -->` }],
  ['bytes that are no UTF-8', { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
];

describe.concurrent.each(WAYS)('a read whose 2xx cannot be parsed is retried (%s)', (over) => {
  it.each(SPOILED)('%s', (_, answer) =>
    scene({ over, answers: [answer] }, async ({ service, client }) => {
      const { data, response } = await GET.invoke(client).withResponse();
      expect(data).toMatchObject({ id: USER });
      expect(response.attempts).toBe(2);
      expect(service.requests).toHaveLength(2);
      // The next answer on that connection might be spoiled, too.
      expect(new Set(service.requests.map(({ connection }) => connection)).size).toBe(2);
    }),
  );
});

const [, [, empty]] = SPOILED as [unknown, readonly [string, Answer]];

describe.concurrent('the retry of a read whose 2xx cannot be parsed', () => {
  it('counts against maxRetries and takes from the budget, as that of a 502 does', () =>
    scene({ answers: [empty, empty, empty] }, async ({ service, connect }) => {
      const left: number[] = [];
      const hooks: Hooks = { onRetry: () => left.push(client.stats().retryBudget.available) };
      const client = connect({ hooks });
      const error = await failure(GET.invoke(client, { maxRetries: 2 }), ResponseValidationError, { notJson: true });
      expect(error.attempts).toEqual({ count: 3, failures: Array(3).fill({ reason: 'unreadable', status: 200 }) });
      expect(error.issues).toEqual([{ path: '', message: 'the body is empty' }]);
      expect(service.requests).toHaveLength(3);
      expect(left[0]).toBe(499);
      expect(client.stats()).toMatchObject({ failed: 1, retries: 2 });
    }));

  it('waits for a Retry-After', () =>
    scene({ answers: [{ ...empty, headers: { 'retry-after': '60' } }] }, async ({ service, client }) => {
      await failure(GET.invoke(client, { timeout: 5_000 }), ResponseValidationError);
      expect(service.requests).toHaveLength(1);
    }));

  it('is told to the hooks', async () => {
    const told: unknown[] = [];
    const hooks: Hooks = {
      onAttemptEnd: ({ attempt, status, reason }) => told.push(['end', attempt, status, reason]),
      onRetry: ({ attempt, reason, status, delayMs }) => told.push(['retry', attempt, status, reason, delayMs >= 0]),
      onEnd: ({ outcome, attempts, error }) => told.push(['over', outcome, attempts, error]),
    };
    await scene({ answers: [empty], client: { hooks } }, ({ client }) => GET.invoke(client));
    expect(told).toEqual([
      ['end', 1, 200, 'unreadable'],
      ['retry', 1, 200, 'unreadable', true],
      ['end', 2, 200, undefined],
      ['over', 'not_applied', 2, undefined],
    ]);
  });
});

describe.concurrent('a write whose 2xx begins as the service’s and cannot be parsed is applied, and not retried', () => {
  it.each([KEYED, REPEATABLE].map((kind) => [kind.name, kind] as const))('%s', (_, kind) =>
    scene({ answers: [{ body: '{ "data": {"id":"ab' }] }, async ({ service, client }) => {
      await failure(kind.invoke(client), ResponseValidationError, {
        outcome: 'applied',
        notJson: true,
        attempts: { count: 1, failures: [{ reason: 'unreadable', status: 200 }] },
      });
      expect(service.requests).toHaveLength(1);
    }),
  );
});

type Row = readonly [string, Answer, (client: PartnerClient) => PromiseLike<unknown>, unknown];
const get = (client: PartnerClient) => client.request({ method: 'GET', path: '/v1/things' });
const list = async (client: PartnerClient) => (await client.list({ path: '/v1/things' })).items;

/** Answers with which nothing is wrong, though they have no body or no `data`. */
const RIGHT: readonly Row[] = [
  [
    'settings without data',
    json(200, { staking: 'on' }),
    ({ accounts }) => accounts.earn.auto.get(ACCOUNT),
    { staking: 'on' },
  ],
  ['an update', empty, ({ accounts }) => accounts.earn.auto.update(ACCOUNT, { staking: 'enabled' }), undefined],
  ['a cancellation', empty, ({ accounts }) => accounts.priceTriggerSwaps.cancel(ACCOUNT, 'i'), undefined],
  [
    'a cancellation that says something',
    json(200, 'cancelled'),
    ({ accounts }) => accounts.priceTriggerSwaps.cancel(ACCOUNT, 'i'),
    undefined,
  ],
  ['a request without a body', empty, get, undefined],
  ['a request without data', json(200, [1]), get, [1]],
  ['a list without items', json(200, { data: [] }), list, []],
];

/** Reads of an open shape, and of one without `data`, whose body is no JSON. */
const SPOILED_OTHERS: readonly Row[] = [
  ['settings', empty, ({ accounts }) => accounts.earn.auto.get(ACCOUNT), { data: [5], staking: 'on' }],
  ['a request', { body: 'oops' }, get, [5]],
  ['a list', empty, list, [5]],
];

describe.concurrent('an operation with an answer of its own', () => {
  it.each(RIGHT)('is done at once: %s', (_, answer, call, expected) =>
    scene({ answers: [answer] }, async ({ service, client }) => {
      expect(await call(client)).toEqual(expected);
      expect(service.requests).toHaveLength(1);
    }),
  );

  it.each(SPOILED_OTHERS)('is retried when its answer is no JSON: %s', (_, answer, call, expected) =>
    scene({ answers: [answer, json(200, { data: [5], staking: 'on' })] }, async ({ service, client }) => {
      expect(await call(client)).toEqual(expected);
      expect(service.requests).toHaveLength(2);
    }),
  );
});
