import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  ConnectionError,
  NotFoundError,
  PartnerClient,
  type RetryEvent,
  TimeoutError,
  UnauthenticatedError,
} from '../../../src/index.js';
import { freePort } from '../../support/free-port.js';
import {
  ACCOUNT,
  DELETE,
  expectSameCall,
  failure,
  GET,
  KEYED,
  KINDS,
  type Kind,
  SAFE,
  type Scene,
  type Setup,
  scene,
  UNKEYED,
} from '../../support/scene.js';
import { type Answer, html, json, rightAnswer, Service, status } from '../../support/service.js';
import { gate, until } from '../../support/until.js';

const now = { 'retry-after': '0' };
/** In ms: short enough to wait for, and long enough for a right answer on a busy machine. */
const SHORT = 800;
const cut: Answer = { body: '{"data":{"half":1}}', fault: 'cut' };

/** Statuses that gateways answer with a page of their own. 500, 501 and 505 with the service's envelope are not repeated. */
const GATEWAYS_OWN = [500, 501, 502, 503, 504, 505, 520, 521, 522, 523, 524, 525, 526, 527, 530, 599];

/** The call succeeds after `attempts` requests that are the same but for nonce and signature. */
async function repeats(kind: Kind, setup: Setup, attempts = 2): Promise<void> {
  await scene(setup, async ({ service, client }) => {
    const { response } = await kind.invoke(client).withResponse();
    expect(service.requests).toHaveLength(attempts);
    expectSameCall(service.requests, kind);
    expect(response.attempts).toBe(attempts);
    expect(response.idempotencyKey).toBe(kind.keyed ? service.requests[0]?.key : undefined);
  });
}

describe.concurrent('retrying, cell by cell of the table in docs/calls/errors-and-retries.md', () => {
  it.each(KINDS)('429: $name is made again', (kind) => repeats(kind, { answers: [status(429, now)] }));

  for (const kind of SAFE) {
    for (const number of [502, 503, 504]) {
      it(`${number}: ${kind.name} is made again`, () => repeats(kind, { answers: [status(number)] }));
    }
    for (const number of GATEWAYS_OWN) {
      it(`${number} of a gateway: ${kind.name} is made again`, () => repeats(kind, { answers: [html(number)] }));
    }
    it(`lost after sending: ${kind.name} is made again`, () => repeats(kind, { answers: [{ fault: 'reset' }] }));
    it(`attempt too slow: ${kind.name} is made again`, () =>
      repeats(kind, { answers: [{ fault: 'silent' }], client: { attemptTimeout: SHORT } }));
    it(`answer cut after a 2xx head: ${kind.name} is made again`, () => repeats(kind, { answers: [cut] }));
    it(`body too slow: ${kind.name} is made again`, () =>
      repeats(kind, { answers: [{ ...cut, fault: 'stall' }], client: { attemptTimeout: SHORT } }));
  }

  it.each([
    ...[502, 503, 504].map((number) => [`${number}`, number, status(number)] as const),
    ...GATEWAYS_OWN.map((number) => [`${number} of a gateway`, number, html(number)] as const),
  ])('%s: a write without key stops, unknown', (_, number, answer) =>
    scene({ answers: [answer] }, async ({ service, client }) => {
      const error = await failure(UNKEYED.invoke(client));
      expect(error).toMatchObject({ response: { status: number }, outcome: 'unknown' });
      expect(error.attempts).toMatchObject({ count: 1, failures: [{ reason: 'status', status: number }] });
      expect(service.requests).toHaveLength(1);
    }),
  );

  it.each([
    ['lost after sending', { fault: 'reset' }, ConnectionError, 'lost'],
    ['attempt too slow', { fault: 'silent' }, TimeoutError, 'too_slow'],
  ] as const)('%s: a write without key stops, unknown', (_, answer, errorClass, reason) =>
    scene({ answers: [answer], client: { attemptTimeout: SHORT } }, async ({ service, client }) => {
      const error = await failure(UNKEYED.invoke(client), errorClass);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: { count: 1, failures: [{ reason }] } });
      await sleep(100);
      expect(service.requests).toHaveLength(1);
    }),
  );

  for (const kind of KINDS) {
    it(`refused connection: ${kind.name} is made again`, async () => {
      const service = new Service({ port: await freePort() });
      const { url: baseUrl, apiKey, apiSecret } = service;
      const listening: Promise<void>[] = [];
      const onRetry = () => {
        if (listening.length === 0) listening.push(service.listen());
      };
      const client = new PartnerClient({ baseUrl, apiKey, apiSecret, hooks: { onRetry } });
      try {
        const { response } = await kind.invoke(client).withResponse();
        expect(response.attempts).toBeGreaterThan(1);
        expect(service.requests).toHaveLength(1);
        expectSameCall(service.requests, kind);
      } finally {
        await Promise.all(listening);
        await service.close();
        await client.close();
      }
    });

    it(`refused connection to the end: ${kind.name} is not_applied`, async () => {
      await using client = new PartnerClient({
        baseUrl: `http://127.0.0.1:${await freePort()}`,
        apiKey: `closed-${kind.column}`,
        apiSecret: 'c2VjcmV0',
        maxRetries: 1,
      });
      const error = await failure(kind.invoke(client), ConnectionError, { outcome: 'not_applied' });
      const refused = { reason: 'not_sent', code: 'ECONNREFUSED' };
      expect(error.attempts).toMatchObject({ count: 2, failures: [refused, refused] });
    });
  }
});

describe.concurrent('a 401 that no later nonce explains, which a copy of the request may have got', () => {
  const denied = status(401);

  it.each(SAFE)('$name is sent once more with a new nonce, also when maxRetries is 0', (kind) =>
    repeats(kind, { answers: [denied], client: { maxRetries: 0 } }),
  );

  it.each(KINDS)('on an API key that was never accepted, $name ends not_applied', (kind) =>
    scene({ answers: [denied, denied] }, async ({ service, client }) => {
      const count = kind === UNKEYED ? 1 : 2;
      await failure(kind.invoke(client), UnauthenticatedError, { outcome: 'not_applied', attempts: { count } });
      expect(service.requests).toHaveLength(count);
      expect(client.stats()).toMatchObject({ lanes: [{ races: 0 }], retryBudget: { available: 500 } });
    }),
  );

  it.each(KINDS)('on an API key that was accepted before, $name ends unknown unless it is a read', (kind) =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => denied;
      const count = kind === UNKEYED ? 1 : 2;
      const outcome = kind.read ? 'not_applied' : 'unknown';
      const error = await failure(kind.invoke(client), UnauthenticatedError, { outcome, attempts: { count } });
      expect(service.requests).toHaveLength(1 + count);
      if (!kind.read) expect(error.message).toMatch(/may have sent the request twice/);
    }),
  );

  it('a DELETE that finds nothing any more is a NotFoundError, and unknown', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.answers(denied, status(404));
      await failure(DELETE.invoke(client), NotFoundError, { outcome: 'unknown', attempts: { count: 2 } });
    }));

  it('so it is if the API key was never accepted before: the 404 shows that the 401 was not about it', () =>
    scene({ answers: [denied, status(404)] }, async ({ client }) => {
      await failure(DELETE.invoke(client), NotFoundError, { outcome: 'unknown', attempts: { count: 2 } });
    }));

  it.each([404, 409])('on a new API key that a later %i shows to be good, a write is unknown', (number) =>
    scene({ answers: [denied, status(number)] }, async ({ client }) => {
      await failure(KEYED.invoke(client), undefined, { response: { status: number }, outcome: 'unknown' });
    }),
  );

  it('a wrong one-time password ends not_applied after one more attempt', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      service.script = () => denied;
      const body = { via: 'bitcoin', address: 'bc1qexample' };
      const call = client.accounts.wallets.whitelist(ACCOUNT, body, { otp: '000000' });
      await failure(call, UnauthenticatedError, { outcome: 'not_applied', attempts: { count: 2 } });
      expect(service.requests).toHaveLength(3);
    }));
});

describe.concurrent('a write without key travels alone in its lane, so no later nonce can overtake it', () => {
  /** A write without key, whose response is held, and reads behind it. */
  const held = async (client: PartnerClient, service: Service) => {
    await GET.invoke(client);
    const open = service.hold(({ path }) => path === '/v1/things');
    const write = UNKEYED.invoke(client);
    await service.arrived(2);
    const reads = Array.from({ length: 20 }, () => GET.invoke(client));
    return {
      beside: () => service.requests.length - 2,
      end: async () => {
        open();
        await Promise.all([write, ...reads]);
      },
    };
  };

  it.each(['adaptive', 'strict'] as const)('%s: nothing starts until its response is there', (nonceOrder) =>
    scene({ client: { nonceOrder } }, async ({ service, client }) => {
      const { beside, end } = await held(client, service);
      await sleep(50);
      expect(beside()).toBe(0);
      await end();
      expect(service.refused.filter(({ method }) => method === 'POST')).toEqual([]);
    }),
  );

  it('unordered: others start beside it, since the service takes late nonces', () =>
    scene({ client: { nonceOrder: 'unordered' }, service: { nonces: 'any' } }, async ({ service, client }) => {
      const { beside, end } = await held(client, service);
      await until(() => beside() === 20);
      await end();
    }));

  it('many of them among reads are each sent once, and none gets a 401', () =>
    scene({}, async ({ service, client }) => {
      await Promise.all(Array.from({ length: 60 }, (_, place) => (place % 3 ? GET : UNKEYED).invoke(client)));
      const writes = service.requests.filter(({ method }) => method === 'POST');
      expect(writes).toHaveLength(20);
      expect(writes.filter((request) => service.refused.includes(request))).toEqual([]);
    }));
});

/** Two services and two clients with one API key: a call at the second issues a later nonce while the first one's is open. */
async function race(
  kind: Kind,
  options: { maxRetries?: number },
  then: Answer[],
  check: (scene: Scene) => Promise<void>,
) {
  const other = await Service.start();
  await scene({}, async (main) => {
    const { apiKey, apiSecret } = main.service;
    other.secrets.set(apiKey, apiSecret);
    const later = new PartnerClient({ baseUrl: other.url, apiKey, apiSecret });
    const answers = [...then];
    main.service.script = async (request) => {
      if (request.index === 0) {
        await GET.invoke(later);
        return status(401);
      }
      return answers.shift() ?? rightAnswer(request);
    };
    try {
      await check({ ...main, client: main.connect(options) });
      expectSameCall(main.service.requests, kind);
    } finally {
      await later.close();
      await other.close();
    }
  });
}

describe.concurrent('401 while a later nonce of the same API key was already issued', () => {
  it('a write without key stops: it may be the 401 of a copy', () =>
    race(UNKEYED, {}, [], async ({ service, client }) => {
      await failure(UNKEYED.invoke(client), UnauthenticatedError, { attempts: { count: 1 } });
      expect(service.requests).toHaveLength(1);
    }));

  for (const kind of SAFE) {
    it(`${kind.name} is made again`, () =>
      race(kind, {}, [], async ({ service, client }) => {
        const { response } = await kind.invoke(client).withResponse();
        expect(response.attempts).toBe(2);
        expect(service.requests).toHaveLength(2);
      }));

    it(`${kind.name} is refused when nothing had overtaken its repeats`, () =>
      race(kind, {}, [status(401), status(401)], async ({ service, client }) => {
        const error = await failure(kind.invoke(client), UnauthenticatedError);
        expect(error).toMatchObject({
          outcome: 'not_applied',
          attempts: { count: 3, failures: [{ reason: 'race' }, { reason: 'status' }, { reason: 'status' }] },
        });
        expect(service.requests).toHaveLength(3);
      }));

    it(`${kind.name} is made again when maxRetries is 0, too`, () =>
      race(kind, { maxRetries: 0 }, [], async ({ service, client }) => {
        const { response } = await kind.invoke(client).withResponse();
        expect(response.attempts).toBe(2);
        expect(service.requests).toHaveLength(2);
        expect(client.stats()).toMatchObject({ retryBudget: { available: 500 } });
      }));
  }

  it('does not count against maxRetries', () =>
    race(KEYED, { maxRetries: 2 }, [status(503, now), status(503, now)], async ({ service, client }) => {
      const { response } = await KEYED.invoke(client).withResponse();
      expect(response.attempts).toBe(4);
      expect(service.requests).toHaveLength(4);
    }));

  it('is made again before those that wait, while others are in flight', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, client }) => {
      const raced: number[] = [];
      const { opened, open: answerOthers } = gate();
      service.script = async (request) => {
        if (!request.path.endsWith('/raced')) {
          await opened;
          return rightAnswer(request);
        }
        raced.push(request.index);
        if (raced.length > 1) {
          answerOthers();
          return rightAnswer(request);
        }
        // Answered while later ones are on their way, whose answers come after its repeat.
        await service.arrived(request.index + 2);
        return status(401);
      };
      const write = client.request({ method: 'PUT', path: '/v1/raced', body: {}, idempotent: true });
      const reads = Array.from({ length: 150 }, () => GET.invoke(client));
      await Promise.all([write, ...reads]);
      const [first = -1, again = -1] = raced;
      expect(
        service.requests.some(({ open }) => open.includes(first)),
        'it shared the lane before',
      ).toBe(true);
      expect(service.requests[again]?.open, 'open when the repeat came').not.toEqual([]);
      // It does not wait for those that came after it.
      expect(again).toBeLessThan(140);
    }));
});

const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  410: 'GoneError',
  500: 'InternalError',
  501: 'UnimplementedError',
};
const STOPPING = [
  ...[300, 301, 302, 303, 304, 307, 308, 400, 402, 403, 404, 408, 409, 410, 418, 422, 499],
  ...[500, 501, 505, 520],
];
/** Rejections of the service that do not say how far it has come: request timeout, cancelled. */
const OPEN = [408, 499];

describe.concurrent('any other status stops at once', () => {
  for (const number of STOPPING) {
    for (const kind of KINDS) {
      const refused = (number >= 400 && number < 500 && !OPEN.includes(number)) || number === 501;
      const outcome = kind.read || refused ? 'not_applied' : 'unknown';
      it(`${number}: ${kind.name} stops, ${outcome}`, () =>
        scene({ answers: [status(number, { location: '/v1/elsewhere' })] }, async ({ service, client }) => {
          const error = await failure(kind.invoke(client));
          expect(error.name).toBe(CLASSES[number] ?? 'ApiError');
          expect(error).toMatchObject({ response: { status: number }, outcome });
          expect(error.attempts).toMatchObject({ count: 1, failures: [{ reason: 'status', status: number }] });
          expect(error.idempotencyKey).toBe(kind.keyed ? service.requests[0]?.key : undefined);
          if (kind.operation !== undefined) expect(error.operation).toBe(kind.operation);
          expect(service.requests).toHaveLength(1);
        }));
    }
  }
});

describe.concurrent('a 4xx without the service\u2019s error envelope is a proxy\u2019s', () => {
  const before = [400, 404, 405, 406, 411, 413, 414, 415, 417, 426, 431];
  const open = [401, 402, 403, 407, 408, 409, 410, 418, 421, 425, 428, 451, 460, 499];

  it.each(before)('%i: the request was not handed on, so a write is not_applied', (number) =>
    scene({}, async ({ service, client }) => {
      for (const kind of [KEYED, UNKEYED, DELETE]) {
        service.script = () => html(number);
        const error = await failure(kind.invoke(client), undefined, { response: { status: number }, code: '' });
        expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 1 } });
        expect(error.message).toMatch(/baseUrl/);
      }
    }),
  );

  it.each(open)('%i: a write is unknown', (number) =>
    scene({}, async ({ service, client }) => {
      service.script = () => html(number);
      for (const kind of [KEYED, UNKEYED, DELETE]) {
        const error = await failure(kind.invoke(client), undefined, { response: { status: number }, code: '' });
        expect(error.outcome).toBe('unknown');
        expect(error.message).toMatch(/a proxy or load balancer .*not the service/);
      }
      await failure(GET.invoke(client), undefined, { outcome: 'not_applied' });
    }),
  );

  it('429: it is retried as any other, and a write that gets nothing else is unknown', () =>
    scene({}, async ({ service, client }) => {
      for (const kind of [KEYED, UNKEYED]) {
        service.answers({ ...html(429), headers: now });
        expect((await kind.invoke(client).withResponse()).response.attempts).toBe(2);
        service.script = () => ({ ...html(429), headers: now });
        await failure(kind.invoke(client), undefined, { outcome: 'unknown', attempts: { count: 4 } });
      }
    }));

  it.each([
    ['a code that is empty', json(403, { error: { type: 'x', code: '' } })],
    ['an error that is a text', json(403, { error: 'forbidden' })],
    ['no JSON', { status: 403, body: 'denied' }],
    ['a body that breaks off before the code', { ...json(403, { error: { message: 'x'.repeat(50) } }), fault: 'cut' }],
    ['a body that breaks off before the error', { ...json(403, { message: 'x'.repeat(50) }), fault: 'cut' }],
  ] as const)('%s is no envelope', (_, answer) =>
    scene({ answers: [answer] }, async ({ client }) => {
      await failure(KEYED.invoke(client), undefined, { outcome: 'unknown' });
    }),
  );

  it.each([
    ['whole', {}],
    ['cut short behind its code', { fault: 'cut' }],
  ] as const)('an envelope that is %s proves that the service rejected the write', (_, fault) =>
    scene(
      { answers: [{ ...json(403, { error: { code: 'forbidden', causes: ['x'.repeat(50)] } }), ...fault }] },
      async ({ client }) => {
        const error = await failure(KEYED.invoke(client), undefined, { outcome: 'not_applied', code: 'forbidden' });
        expect(error.message).not.toMatch(/proxy|no error envelope/);
      },
    ),
  );

  it('a code that was cut short is not shown, because its beginning would be another code', () =>
    scene(
      { answers: [{ ...json(409, { error: { code: `conflict_${'x'.repeat(40)}` } }), fault: 'cut' }] },
      async ({ client }) => {
        await failure(KEYED.invoke(client), undefined, { outcome: 'not_applied', code: '' });
      },
    ));
});

describe.concurrent('a 5xx is a gateway\u2019s unless its body is the service\u2019s error envelope with its code', () => {
  const envelope = { type: 'service_error', status: 500, instance: 'in-500', code: 'internal' };
  const without: readonly (readonly [string, Answer])[] = [
    ['an empty body', { status: 500 }],
    ['plain text', { status: 500, body: 'upstream connect error' }],
    ['JSON of another form', json(500, { message: 'Internal server error' })],
    ['a text as error', json(500, { error: 'bad gateway' })],
    ['a null error', json(500, { error: null })],
    ['a code that is a number', json(500, { error: { code: 502, message: 'bad gateway' } })],
    ['an empty code', json(500, { error: { ...envelope, code: '' } })],
    ['an envelope that is cut', { ...json(500, { error: envelope }), fault: 'cut' }],
  ];
  it.each(without)('%s: a read and a keyed write are made again', async (_, answer) => {
    for (const kind of [GET, KEYED]) await repeats(kind, { answers: [answer] });
  });

  it.each([
    ['all its members', envelope],
    ['more members', { ...envelope, doc_url: 'https://docs.test', causes: [{ field: 'a' }], later: 1 }],
    ['its code alone', { code: 'internal' }],
  ])('%s: it is the service\u2019s own, and stops', async (_, error) => {
    for (const kind of [GET, KEYED]) {
      await scene({ answers: [json(500, { error })] }, async ({ service, client }) => {
        expect(await failure(kind.invoke(client))).toMatchObject({ response: { status: 500 }, code: 'internal' });
        expect(service.requests).toHaveLength(1);
      });
    }
  });

  it('Retry-After of a gateway is honoured, and ends the call when it is too long', () =>
    scene({}, async ({ service, client }) => {
      service.answers({ ...html(502), headers: { 'retry-after': '1' } });
      await GET.invoke(client);
      const [first, second] = service.requests;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
      service.answers({ ...html(502), headers: { 'retry-after': '40' } });
      const error = await failure(GET.invoke(client));
      expect(error).toMatchObject({ response: { status: 502 }, code: '', retryAfter: 40_000, attempts: { count: 1 } });
    }));

  it('the hooks and the error tell each attempt by its status', () =>
    scene({}, async ({ service, connect }) => {
      const told: unknown[] = [];
      const onRetry = ({ reason, status: number, code }: RetryEvent) => told.push([reason, number, code]);
      service.answers({ ...html(502), headers: now }, status(503, now), { ...html(520), headers: now }, status(500));
      const error = await failure(KEYED.invoke(connect({ hooks: { onRetry } })));
      const repeated = [
        ['status', 502, undefined],
        ['status', 503, 'unavailable'],
        ['status', 520, undefined],
      ];
      expect(told).toEqual(repeated);
      expect(error.attempts.count).toBe(4);
      expect(error.attempts.failures.map(({ reason, status: number, code }) => [reason, number, code])).toEqual([
        ...repeated,
        ['status', 500, 'internal'],
      ]);
      expect(error.outcome).toBe('unknown');
    }));
});

describe.concurrent('the end of repeating', () => {
  const exhausted: readonly (readonly [Kind, number, string])[] = [
    [GET, 429, 'not_applied'],
    [GET, 502, 'not_applied'],
    [GET, 503, 'not_applied'],
    [KEYED, 502, 'unknown'],
    [KEYED, 429, 'not_applied'],
    [KEYED, 503, 'unknown'],
    [DELETE, 504, 'unknown'],
    [UNKEYED, 429, 'not_applied'],
  ];
  for (const [kind, number, outcome] of exhausted) {
    it(`${number} to the last attempt: ${kind.name} is ${outcome} after maxRetries + 1 attempts`, () =>
      scene({}, async ({ service, client }) => {
        service.script = () => status(number, now);
        const error = await failure(kind.invoke(client));
        expect(error).toMatchObject({ response: { status: number }, outcome, attempts: { count: 4 } });
        expect(error.attempts.failures.map(({ reason, status }) => [reason, status])).toEqual(
          Array.from({ length: 4 }, () => ['status', number]),
        );
        expect(service.requests).toHaveLength(4);
        expectSameCall(service.requests, kind);
      }));
  }

  it.each(KINDS)('maxRetries 0: $name is exactly one request', (kind) =>
    scene({ answers: [status(429, now)] }, async ({ service, client }) => {
      const error = await failure(kind.invoke(client, { maxRetries: 0 }));
      expect(error).toMatchObject({ response: { status: 429 }, outcome: 'not_applied', attempts: { count: 1 } });
      expect(service.requests).toHaveLength(1);
    }),
  );

  it('a caller-given key is sent with every attempt', () =>
    scene({ answers: [status(503, now), { fault: 'reset' }] }, async ({ service, client }) => {
      const idempotencyKey = 'A0000000-0000-4000-8000-00000000000F';
      const { response } = await KEYED.invoke(client, { idempotencyKey }).withResponse();
      expect(service.requests.map(({ key }) => key)).toEqual([idempotencyKey, idempotencyKey, idempotencyKey]);
      expect(response.idempotencyKey).toBe(idempotencyKey);
    }));

  it('idempotent: true gives a generic write a key and repeats it', () =>
    scene({ answers: [status(503, now), { fault: 'reset' }] }, async ({ service, client }) => {
      await client.request({ method: 'POST', path: '/v1/things', body: { a: 1 }, idempotent: true });
      expectSameCall(service.requests, KEYED);
      expect(service.requests).toHaveLength(3);
    }));
});
