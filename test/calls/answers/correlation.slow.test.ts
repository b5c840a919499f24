import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fetchTransport,
  type PartnerClient,
  ResponseValidationError,
  type StandardSchema,
} from '../../../src/index.js';
import { type RawRequest, type RawService, rightFor } from '../../support/raw-service.js';
import { ACCOUNT, type ClientOptions, failure, KEYED, scene, settled, UNKEYED, USER } from '../../support/scene.js';
import { type Answer, json, rightAnswer } from '../../support/service.js';
import { gate, until } from '../../support/until.js';
import { rawScene } from '../support/raw-scene.js';

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

/** A skipped answer that no other follows is missed by its time alone. */
const soon: ClientOptions = { attemptTimeout: 1_000, timeout: 60_000 };

// Not beside the others, whose calls must find their connection idle.
describe('many calls at once, and answers that are', () => {
  it.each(['adaptive', 'strict', 'unordered'] as const)(
    'too many, too few or swapped, anywhere: no call gets another one\u2019s, and the rest succeed (%s)',
    async (nonceOrder) => {
      const places = fc.uniqueArray(fc.integer({ min: 0, max: 150 }), { maxLength: 3 });
      const faults = fc.record({ doubled: places, skipped: places, swapped: places });
      await fc.assert(
        fc.asyncProperty(faults, fc.constantFrom(...OPERATIONS), (given, operation) =>
          rawScene({ ...soon, nonceOrder, maxRetries: 10 }, async ({ service, client }) => {
            spoil(service, given);
            const refused = await callAtOnce(client, operation, 100);
            // Each fault spoils no more than the next answer on its connection.
            expect(refused).toBeLessThanOrEqual(2 * Object.values(given).flat().length);
            spoil(service, {});
            expect(await callAtOnce(client, operation, 40)).toBe(0);
          }),
        ),
        { numRuns: 25, interruptAfterTimeLimit: 20_000 },
      );
    },
  );

  it.each(OPERATIONS)('another request\u2019s over fetch: no $name takes it', (operation) =>
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
    }),
  );
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
  const failing = failure(client.users.get(USER, { maxRetries: 0 }));
  const rest = Array.from({ length: others }, (_, place) => client.users.get(user(place)).withResponse());
  return { error: await failing, rest: await Promise.all(rest) };
}

describe.concurrent('the connection of an answer that cannot be right', () => {
  const wrong: readonly (readonly [string, Answer])[] = [
    ['another call\u2019s answer', rightFor({ method: 'GET', path: `/v1/users/${user(9)}`, body: Buffer.alloc(0) })],
    ['a value of a wrong type', json(200, { data: { id: [] } })],
    ['no data', json(200, { data: null })],
    ['no JSON', { body: '<html>' }],
    ['an empty body', { body: '' }],
  ];
  it.each(wrong)('is closed: %s', (_, answer) =>
    rawScene({}, async ({ service, client }) => {
      answerUser(service, answer);
      const { error, rest } = await amidOthers(client, 40);
      expect(error).toBeInstanceOf(ResponseValidationError);
      expect(error.attempts).toMatchObject({ count: 1, failures: [{ reason: 'unreadable', status: 200 }] });
      expect(rest.map(({ data }) => data.id)).toEqual(rest.map((_, place) => user(place)));
      await client.users.get(user(1));
      const connectionOf = (id: string) => service.requests.find(({ path }) => path.endsWith(id))?.connection ?? 0;
      expect(service.sockets[connectionOf(USER) - 1]?.destroyed).toBe(true);
      // Those beside it had connections of their own.
      expect(rest.map(({ response }) => response.status)).toEqual(rest.map(() => 200));
    }),
  );

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

  it('what may not be repeated is not on it: a write without key that waited is sent once, on the next', () =>
    rawScene({ nonceOrder: 'strict' }, async ({ service, client }) => {
      answerUser(service, other);
      await client.users.get(user(0));
      const failing = failure(client.users.get(USER));
      const write = UNKEYED.invoke(client).withResponse();
      expect(await failing).toBeInstanceOf(ResponseValidationError);
      expect((await write).response.attempts).toBe(1);
      expect(service.requests.filter(({ path }) => path === '/v1/things')).toMatchObject([{ connection: 2 }]);
    }));
});

describe.concurrent('a call that began on a connection before its last answer was refused', () => {
  /**
   * The schema of a first call refuses its answer when the call behind it is on the connection and waits for its own answer, which never
   * comes there.
   */
  const behind = (
    options: ClientOptions,
    call: (client: PartnerClient) => Promise<unknown>,
    check: (end: unknown, service: RawService, client: PartnerClient) => void,
  ) =>
    rawScene({ ...options, nonceOrder: 'strict' }, async ({ service, client }) => {
      service.script = (request) => (request.index === 1 ? [] : [rightFor(request)]);
      const refusing: StandardSchema<unknown> = {
        '~standard': {
          version: 1,
          vendor: 'tests',
          validate: async () => {
            await until(() => service.requests.length === 2, 'the next call is on the connection');
            return { issues: [{ message: 'not this one' }] };
          },
        },
      };
      const refused = failure(client.request({ method: 'GET', path: '/v1/things', schema: refusing }));
      const end = await call(client).catch((error: unknown) => error);
      expect(await refused).toBeInstanceOf(ResponseValidationError);
      expect(service.requests.slice(0, 2).map(({ connection }) => connection)).toEqual([1, 1]);
      check(end, service, client);
    });

  it('is repeated when it is a read, and counts neither against maxRetries nor against the budget', () => {
    const available: number[] = [];
    let look = () => {};
    const hooks = { onRetry: () => look() };
    return behind(
      { hooks, maxRetries: 1 },
      (client) => {
        look = () => available.push(client.stats().retryBudget.available);
        return client.users.get(user(1)).withResponse();
      },
      (end, service) => {
        expect(end).toMatchObject({ data: { id: user(1) }, response: { attempts: 2 } });
        expect(service.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
        expect(available).toEqual([500]);
      },
    );
  });

  it('is repeated with its key when it is a keyed write', () =>
    behind(
      {},
      (client) => KEYED.invoke(client).withResponse(),
      (end, service) => {
        expect(end).toMatchObject({ response: { attempts: 2 } });
        const [one, again] = service.requests.filter(({ method }) => method === 'POST');
        expect(again?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
        expect(again?.headers['api-nonce']).not.toBe(one?.headers['api-nonce']);
      },
    ));

  it('is not repeated with maxRetries 0: its outcome is unknown', () =>
    behind(
      {},
      (client) => KEYED.invoke(client, { maxRetries: 0 }),
      (end, service) => {
        expect(end).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: { count: 1 } });
        expect(service.requests).toHaveLength(2);
      },
    ));
});

describe.concurrent('an answer over HTTP/2 that cannot be right', () => {
  it('touches no other call, not even a write without key; the next call goes over another session', () =>
    scene({ over: 'http2', client: { maxRetries: 0 } }, async ({ service, client }) => {
      const wrong = gate();
      const { opened, open } = gate();
      service.script = (request) => {
        if (request.path.endsWith(USER)) return { ...other, hold: wrong.opened };
        return { ...rightAnswer(request), hold: opened };
      };
      const misdirected = failure(client.users.get(USER));
      const rest = Array.from({ length: 20 }, (_, place) => client.users.get(user(place)));
      // Nothing starts after it until its answer is there.
      const write = UNKEYED.invoke(client).withResponse();
      await service.arrived(22);
      wrong.open();
      expect(await misdirected).toBeInstanceOf(ResponseValidationError);
      open();
      await Promise.all(rest);
      expect((await write).response.attempts).toBe(1);
      await client.users.get(user(1));
      expect(service.requests.at(-1)?.connection).toBe(2);
      await until(() => service.openConnections === 1, 'the first session is closed');
    }));
});
