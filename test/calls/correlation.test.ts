import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fetchTransport, type PartnerClient, ResponseValidationError } from '../../src/index.js';
import { type RawRequest, type RawService, rightFor } from '../support/raw-service.js';
import { ACCOUNT, type ClientOptions, eventually, failure, KEYED, settled, UNKEYED, USER } from '../support/scene.js';
import { type Answer, json } from '../support/service.js';
import { rawScene } from './support/raw-scene.js';

/** An operation whose answer repeats an id of its path. */
interface Correlated {
  readonly name: string;
  readonly write: boolean;
  readonly idOf: (place: number) => string;
  readonly call: (client: PartnerClient, id: string) => Promise<{ id: string }>;
}

const OPERATIONS: readonly Correlated[] = [
  {
    name: 'quotes.get',
    write: false,
    idOf: (place) => `q${place}`,
    call: (client, id) => client.accounts.quotes.get(ACCOUNT, id),
  },
  {
    name: 'quotes.execute',
    write: true,
    idOf: (place) => `q${place}`,
    call: (client, id) => client.accounts.quotes.execute(ACCOUNT, id),
  },
  {
    name: 'users.get',
    write: false,
    idOf: (place) => `USER-0000-0000-${String(place).padStart(4, '0')}`,
    call: (client, id) => client.users.get(id),
  },
];

/** The requests that the service's answers skip, double or take for the next one. */
interface Faults {
  readonly doubled?: readonly number[];
  readonly skipped?: readonly number[];
  readonly swapped?: readonly number[];
}

/** Answers as many times as it should, but for the requests at some places in the order of arrival. */
function spoil(service: RawService, { doubled = [], skipped = [], swapped = [] }: Faults): void {
  let held: RawRequest | undefined;
  service.script = (request) => {
    if (skipped.includes(request.index)) return [];
    if (doubled.includes(request.index)) return [rightFor(request), rightFor(request)];
    if (swapped.includes(request.index) && held === undefined) {
      held = request;
      return [];
    }
    if (held === undefined) return [rightFor(request)];
    const first = held;
    held = undefined;
    return first.connection === request.connection ? [rightFor(request), rightFor(first)] : [rightFor(request)];
  };
}

/** Makes the calls at once. No value is another call's; what failed was refused for its id. Gives how many failed. */
async function callAtOnce(client: PartnerClient, { idOf, call, write }: Correlated, count: number): Promise<number> {
  const ends = await settled(Array.from({ length: count }, (_, place) => call(client, idOf(place))));
  let refused = 0;
  for (const [place, end] of ends.entries()) {
    if (!(end instanceof Error)) {
      expect((end as { id: string }).id).toBe(idOf(place));
      continue;
    }
    refused += 1;
    expect(end).toBeInstanceOf(ResponseValidationError);
    expect(end).toMatchObject({ issues: [{ path: 'data.id' }], outcome: write ? 'unknown' : 'not_applied' });
  }
  return refused;
}

const FAULTS: readonly (readonly [string, Faults])[] = [
  ['an answer too many to the first request', { doubled: [0] }],
  ['an answer too many to the second of many requests', { doubled: [1] }],
  ['an answer too many in the middle', { doubled: [100] }],
  ['an answer too few', { skipped: [3] }],
  ['an answer too few in the middle', { skipped: [100] }],
  ['two answers in the wrong order', { swapped: [5] }],
  ['one too many and then one too few', { doubled: [20], skipped: [30] }],
  ['one too few and then one too many', { skipped: [20], doubled: [30] }],
];

/** A skipped answer that no other follows is missed by its time alone. */
const soon: ClientOptions = { attemptTimeout: 1_000, timeout: 20_000 };

describe.concurrent('300 calls at once, a service that gives', () => {
  for (const operation of OPERATIONS) {
    for (const [name, faults] of FAULTS) {
      it(`${name}: no ${operation.name} gets another call's answer, and the rest succeed`, () =>
        rawScene(soon, async ({ service, client }) => {
          spoil(service, faults);
          const refused = await callAtOnce(client, operation, 300);
          // Each fault spoils no more than what one connection carries at once.
          expect(refused).toBeLessThanOrEqual(2 * 64);
          spoil(service, {});
          expect(await callAtOnce(client, operation, 100)).toBe(0);
        }));
    }
  }

  for (const nonceOrder of ['strict', 'unordered'] as const) {
    for (const operation of OPERATIONS) {
      it(`an answer too many now and then, ${nonceOrder}: no ${operation.name} takes it`, () =>
        rawScene({ ...soon, nonceOrder }, async ({ service, client }) => {
          spoil(service, { doubled: [0, 7, 8, 30] });
          await callAtOnce(client, operation, 40);
          spoil(service, {});
          expect(await callAtOnce(client, operation, 40)).toBe(0);
        }));
    }
  }

  it('any number of such answers, anywhere: no call gets another one\u2019s', async () => {
    const places = fc.uniqueArray(fc.integer({ min: 0, max: 150 }), { maxLength: 3 });
    const faults = fc.record({ doubled: places, skipped: places, swapped: places });
    await fc.assert(
      fc.asyncProperty(faults, fc.constantFrom(...OPERATIONS), (given, operation) =>
        rawScene({ ...soon, attemptTimeout: 300, maxRetries: 10 }, async ({ service, client }) => {
          spoil(service, given);
          await callAtOnce(client, operation, 100);
        }),
      ),
      { numRuns: 25, interruptAfterTimeLimit: 8_000 },
    );
  }, 20_000);

  for (const operation of OPERATIONS) {
    it(`the answer of another request over fetch: no ${operation.name} takes it`, () =>
      rawScene({ transport: fetchTransport() }, async ({ service, client }) => {
        let last: RawRequest | undefined;
        service.script = (request) => {
          const answered = request.index % 3 === 2 ? (last ?? request) : request;
          last = request;
          return [rightFor(answered)];
        };
        const refused = await callAtOnce(client, operation, 300);
        expect(refused).toBeGreaterThan(50);
        expect(refused).toBeLessThanOrEqual(100);
      }));
  }
});

const other: Answer = json(200, { data: { id: 'somebody else' } });

/** Answers the request for one user with this, and every other as it should be. */
function answerUser(service: RawService, answer: Answer): void {
  service.script = (request) => [request.path.endsWith(USER) ? answer : rightFor(request)];
}

const user = (place: number) => `OTHER-USER-${String(place).padStart(6, '0')}`;

/** A first call, so that a connection is there, then all at once: the one that fails, and others in flight behind it. */
async function amidOthers(client: PartnerClient, others: number) {
  await client.users.get(user(0));
  const failing = failure(client.users.get(USER));
  const rest = Array.from({ length: others }, (_, place) => client.users.get(user(place)).withResponse());
  return { error: await failing, rest: await Promise.all(rest) };
}

describe.concurrent('the connection of an answer that cannot be right', () => {
  const wrong: readonly (readonly [string, Answer])[] = [
    ['another call\u2019s answer', rightFor({ method: 'GET', path: `/v1/users/${user(9)}`, body: Buffer.alloc(0) })],
    ['a value of a wrong type', json(200, { data: { id: 5 } })],
    ['no data', json(200, { data: null })],
    ['no JSON', { body: '<html>' }],
    ['an empty body', { body: '' }],
  ];
  for (const [name, answer] of wrong) {
    it(`is closed: ${name}`, () =>
      rawScene({}, async ({ service, client }) => {
        answerUser(service, answer);
        const { error, rest } = await amidOthers(client, 40);
        expect(error).toBeInstanceOf(ResponseValidationError);
        expect(error.attempts).toMatchObject({ count: 1, failures: [{ reason: 'unreadable', status: 200 }] });
        expect(rest.map(({ data }) => data.id)).toEqual(rest.map((_, place) => user(place)));
        await eventually(() => service.sockets[0]?.destroyed === true, 'the first connection is closed');
        await client.users.get(user(1));
        expect(service.requests.at(-1)?.connection).toBe(2);
      }));
  }

  it('also when nothing else is in flight', () =>
    rawScene({}, async ({ service, client }) => {
      answerUser(service, other);
      await amidOthers(client, 0);
      await client.users.get(user(1));
      expect(service.requests.at(-1)?.connection).toBe(2);
    }));

  it('stays open after a value that warn mode hands over', () =>
    rawScene({ responseValidation: 'warn' }, async ({ service, client }) => {
      answerUser(service, json(200, { data: { id: 5 } }));
      expect(await client.users.get(USER)).toEqual({ id: 5 });
      await client.users.get(user(1));
      expect(service.sockets).toHaveLength(1);
    }));

  it('what else was in flight is repeated, and counts neither against maxRetries nor the retry budget', () => {
    // Repeats keep their order, so they meet on every connection.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => random.mockRestore());
    let seen: () => unknown = () => {};
    return rawScene({ maxRetries: 1, hooks: { onRetry: () => seen() } }, async ({ service, client }) => {
      const available: number[] = [];
      seen = () => available.push(client.stats().retryBudget.available);
      // The first answers of three connections in a row are wrong; what follows them is held back.
      const spoilt = new Set<number>();
      service.script = (request) => {
        if (request.index === 0) return [rightFor(request)];
        const first = !spoilt.has(request.connection) && request.path.includes(USER);
        if (first) spoilt.add(request.connection);
        if (first) return [other];
        return spoilt.has(request.connection) && spoilt.size <= 3 && request.connection <= 3 ? [] : [rightFor(request)];
      };
      await client.users.get(user(0));
      const failing = [
        failure(client.users.get(USER)),
        failure(client.users.get(USER)),
        failure(client.users.get(USER)),
      ];
      const rest = Array.from({ length: 30 }, (_, place) => client.users.get(user(place)).withResponse());
      for (const error of await Promise.all(failing)) expect(error.name).toMatch(/ResponseValidationError/);
      const attempts = (await Promise.all(rest)).map(({ response }) => response.attempts);
      expect(Math.max(...attempts)).toBeGreaterThan(2);
      expect(available.length).toBeGreaterThan(30);
      expect(new Set(available)).toEqual(new Set([500]));
    });
  });

  it('what may not be repeated is not on it: a write without key that waited is sent once, on the next', () =>
    rawScene({}, async ({ service, client }) => {
      answerUser(service, other);
      await client.users.get(user(0));
      const failing = failure(client.users.get(USER));
      const write = UNKEYED.invoke(client).withResponse();
      expect(await failing).toBeInstanceOf(ResponseValidationError);
      expect((await write).response.attempts).toBe(1);
      expect(service.requests.filter(({ path }) => path === '/v1/things')).toMatchObject([{ connection: 2 }]);
    }));

  it('a keyed write on it is repeated with its key', () =>
    rawScene({ attemptTimeout: 60_000, timeout: 60_000 }, async ({ service, client }) => {
      service.script = (request) => {
        if (request.path.endsWith(USER)) return [other];
        return request.connection === 1 && request.method === 'POST' ? [] : [rightFor(request)];
      };
      await client.users.get(user(0));
      const failing = failure(client.users.get(USER));
      const write = KEYED.invoke(client).withResponse();
      expect(await failing).toBeInstanceOf(ResponseValidationError);
      expect((await write).response.attempts).toBe(2);
      const [one, again] = service.requests.filter(({ method }) => method === 'POST');
      expect(again?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
      expect(again?.headers['api-nonce']).not.toBe(one?.headers['api-nonce']);
    }));
});
