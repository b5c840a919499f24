import { describe, expect, it, vi } from 'vitest';
import { ApiError, ConnectionError, ForbiddenError, isApiError, ResponseValidationError } from '../../../src/index.js';
import { ACCOUNT, ADDRESS_ID, failure, GET, KEYED, scene, USER } from '../../support/scene.js';
import { type Answer, html, json, rightAnswer, status, userOf } from '../../support/service.js';

const apiError = (answer: Answer): Promise<ApiError> =>
  scene({ answers: [answer] }, ({ client }) => failure(GET.invoke(client, { maxRetries: 0 }), ApiError));

describe.concurrent('an answer that is no envelope survives with its status', () => {
  it.each<[string, Answer, number]>([
    ['HTML with 502', html(502), 502],
    ['HTML with 403', html(403), 403],
    ['HTML with 404', html(404), 404],
    ['nothing with 500', { status: 500 }, 500],
    ['nothing with 503', { status: 503 }, 503],
    ['text with 429', { status: 429, body: 'slow down' }, 429],
    ['JSON null with 400', json(400, null), 400],
    ['a JSON array with 400', json(400, [1, 2]), 400],
    ['a JSON string with 500', json(500, 'oops'), 500],
    ['JSON without an error with 409', json(409, { message: 'no' }), 409],
    ['an error that is text with 410', json(410, { error: 'gone' }), 410],
    ['an error that is null with 501', json(501, { error: null }), 501],
    ['broken JSON with 400', { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":' }, 400],
    ['bytes that are no UTF-8 with 500', { status: 500, body: Uint8Array.of(0xff, 0xfe, 0x00, 0xc3) }, 500],
  ])('%s', async (_, answer, number) => {
    const error = await apiError(answer);
    expect(error).toMatchObject({ response: { status: number }, code: '', causes: [] });
    expect(error.attempts).toMatchObject({ count: 1, failures: [{ reason: 'status', status: number }] });
  });

  it('keeps the text of a gateway, clipped and out of logs', async () => {
    const error = await apiError({ ...html(502), body: `<h1>bad gateway</h1>${'x'.repeat(100_000)}` });
    expect(error.body).toContain('bad gateway');
    expect(error.body?.length).toBeLessThan(10_000);
    expect(JSON.stringify(error)).not.toContain('bad gateway');
  });
});

describe.concurrent('the error envelope', () => {
  it('is read in full', async () => {
    const causes = [
      { field: 'amount', message: 'is too small', limit: 5 },
      { code: 'c', param: 'p', detail: 'd' },
    ];
    const envelope = {
      type: 'funding_error',
      status: 400,
      instance: 'in-1',
      code: 'bad_request',
      doc_url: 'https://d.example/1',
      causes,
    };
    const error = await apiError(json(400, { error: envelope }));
    const { type, instance, code, docUrl } = error;
    expect({ type, instance, code, docUrl }).toEqual({
      type: 'funding_error',
      instance: 'in-1',
      code: 'bad_request',
      docUrl: 'https://d.example/1',
    });
    expect(error.causes).toEqual(causes);
    expect(error.message).toContain('amount');
    expect(isApiError(error, 'bad_request')).toBe(true);
    expect(isApiError(error, 'conflict')).toBe(false);
  });

  const odd: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>])[] = [
    ['members of wrong types', { type: 1, instance: null, code: ['x'], doc_url: {}, causes: 'none' }, { causes: [] }],
    ['causes that are no objects', { code: 'bad_request', causes: ['a', null, 3] }, { code: 'bad_request' }],
    ['causes with odd fields', { code: 'bad_request', causes: [{ field: 5, message: {} }] }, { code: 'bad_request' }],
    ['a code nobody knows', { code: 'brand_new', type: 'brand_new' }, { code: 'brand_new', type: 'brand_new' }],
    ['only a code', { code: 'internal' }, { code: 'internal', causes: [], type: '', instance: '' }],
    ['a status that is not the status', { code: 'x', status: 200 }, { code: 'x' }],
    ['further members', { code: 'x', trace: { a: 1 } }, { code: 'x' }],
    ['an empty object', {}, { code: '', causes: [] }],
  ];
  it.each(odd)('%s', async (_, envelope, expected) => {
    const error = await apiError(json(400, { error: envelope }));
    expect(error.name).toBe('BadRequestError');
    expect(error).toMatchObject({ response: { status: 400 }, ...expected });
    expect(typeof error.code).toBe('string');
    expect(typeof error.type).toBe('string');
    expect(Array.isArray(error.causes)).toBe(true);
  });

  it('a gateway refusal is told apart', async () => {
    const gateway = await apiError(
      json(403, { error: { type: 'service_error', status: 403, instance: 'i', code: 'gateway' } }),
    );
    expect(gateway).toBeInstanceOf(ForbiddenError);
    expect((gateway as ForbiddenError).gateway).toBe(true);
    const plain = await apiError(status(403));
    expect((plain as ForbiddenError).gateway).toBe(false);
  });
});

describe.concurrent('JSON of another shape in a 2xx is a ResponseValidationError at once', () => {
  it.each<[string, Answer]>([
    ['no data', json(200, { result: 1 })],
    ['data of a wrong shape', json(200, { data: { ...userOf(USER), id: [] } })],
    ['null', json(200, null)],
    ['an array', json(200, [])],
    ['more values than are read', { body: `[${'0,'.repeat(300_000)}0]` }],
    ['more values than are read, cut short', { body: `[${'0,'.repeat(300_000)}` }],
  ])('%s', (_, answer) =>
    scene({ answers: [answer] }, async ({ service, client }) => {
      const error = await failure(GET.invoke(client), ResponseValidationError);
      expect(error).toMatchObject({ outcome: 'not_applied', operation: 'users.get', attempts: { count: 1 } });
      expect(error.notJson).toBe(false);
      expect((error as ResponseValidationError).issues.length).toBeGreaterThan(0);
      expect(service.requests).toHaveLength(1);
    }),
  );

  it('names the member and keeps the text, clipped', () =>
    scene(
      { answers: [json(200, { data: { ...userOf(USER), id: 7, more: 'x'.repeat(5_000) } })] },
      async ({ client }) => {
        const error = (await failure(GET.invoke(client))) as ResponseValidationError;
        expect(error.issues[0]?.path).toMatch(/id$/);
        expect(error.body).toContain('"id":7');
        expect(error.body.length).toBeLessThanOrEqual(1_100);
      },
    ));

  it('the content type of the answer does not matter', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), headers: { 'content-type': 'text/plain' } });
      expect(await GET.invoke(client)).toMatchObject({ id: USER });
    }));
});

describe.concurrent('redirects are never followed', () => {
  it.each([301, 302, 303, 307, 308])('%s is an ApiError', (number) =>
    scene({}, async ({ service, client }) => {
      service.answers({ status: number, headers: { location: `${service.url}/v1/users/${USER}` } });
      const error = await failure(GET.invoke(client));
      expect(error.name).toBe('ApiError');
      expect(error).toMatchObject({ response: { status: number }, code: '' });
      expect(service.requests).toHaveLength(1);
    }),
  );
});

describe.concurrent('a body larger than maxResponseBytes is refused while it is read', () => {
  const big = json(200, { data: { ...userOf(USER), more: 'x'.repeat(3_000_000) } });

  for (const [name, answer] of [
    ['by its length', big],
    ['in chunks', { ...big, chunked: true }],
  ] as const) {
    it(name, () =>
      scene({ answers: [answer], client: { maxResponseBytes: 100_000 } }, async ({ service, client }) => {
        await failure(GET.invoke(client), ResponseValidationError, { attempts: { count: 1 } });
        expect(service.requests).toHaveLength(1);
        expect(await GET.invoke(client)).toMatchObject({ id: USER });
      }),
    );

    it(`${name}: an error keeps its status`, () =>
      scene({ answers: [{ ...answer, status: 400 }], client: { maxResponseBytes: 100_000 } }, async ({ client }) => {
        expect(await failure(GET.invoke(client))).toMatchObject({ response: { status: 400 }, outcome: 'not_applied' });
      }));
  }

  it('endless, it does not wait for the end', () =>
    scene({ client: { maxResponseBytes: 50_000 } }, async ({ service, client }) => {
      // Half of it comes, and never the rest.
      for (const chunked of [false, true]) {
        service.answers({ ...big, chunked, fault: 'stall' });
        expect(await failure(GET.invoke(client))).toBeInstanceOf(ResponseValidationError);
      }
    }));

  it('exactly as large as allowed, it is read', () =>
    scene({}, async ({ service, connect }) => {
      const answer = json(200, { data: userOf(USER) });
      service.script = () => answer;
      const size = Buffer.byteLength(String(answer.body));
      expect(await GET.invoke(connect({ maxResponseBytes: size }))).toMatchObject({ id: USER });
      expect(await failure(GET.invoke(connect({ maxResponseBytes: size - 1 })))).toBeInstanceOf(
        ResponseValidationError,
      );
    }));

  it('of several megabytes, it is read by default', () =>
    scene({ answers: [{ ...big, chunked: true }] }, async ({ client }) => {
      expect(JSON.stringify(await GET.invoke(client)).length).toBeGreaterThan(3_000_000);
    }));
});

describe.concurrent('ways of the wire', () => {
  it('103 Early Hints is not the answer', () =>
    scene({ service: { nonces: 'any' } }, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), hints: true });
      const { response } = await KEYED.invoke(client).withResponse();
      expect(response).toMatchObject({ status: 200, attempts: 1 });
      const reads = await Promise.all(Array.from({ length: 20 }, () => GET.invoke(client).withResponse()));
      expect(reads.every((read) => read.response.status === 200 && read.response.attempts === 1)).toBe(true);
    }));

  it('a connection lost after Early Hints is lost, not answered', () =>
    scene({ answers: [{ fault: 'reset', hints: true }] }, async ({ client }) => {
      const error = await failure(KEYED.invoke(client, { maxRetries: 0 }), ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', attempts: { count: 1, failures: [{ reason: 'lost' }] } });
    }));

  it('Early Hints before an error are not the answer', () =>
    scene({ answers: [{ ...status(409), hints: true }] }, async ({ client }) => {
      expect(await failure(KEYED.invoke(client))).toMatchObject({ response: { status: 409 }, outcome: 'not_applied' });
    }));

  it('a service that closes the connection after each answer: 40 parallel calls all succeed', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => {
        const answer = rightAnswer(request);
        return { ...answer, headers: { ...answer.headers, connection: 'close' } };
      };
      const calls = Array.from({ length: 40 }, (_, place) => (place % 2 ? KEYED : GET).invoke(client));
      await Promise.all(calls);
      const nonces = new Set(service.requests.map(({ nonce }) => nonce));
      expect(nonces.size).toBe(service.requests.length);
    }));

  it('headers of the answer are a plain record with names in lower case', () =>
    scene({}, async ({ service, client }) => {
      service.script = (request) => ({ ...rightAnswer(request), headers: { 'X-Request-Id': 'r-1' } });
      const { response } = await GET.invoke(client).withResponse();
      expect(response.headers['x-request-id']).toBe('r-1');
      expect(response).toMatchObject({ status: 200, attempts: 1, replayed: false });
    }));

  it('an answer that is no HTTP is a ConnectionError', () =>
    scene({}, async ({ service, client }) => {
      service.script = () => ({ raw: 'SSH-2.0-OpenSSH_9.6\r\n' });
      await failure(KEYED.invoke(client, { maxRetries: 0 }), ConnectionError, { outcome: 'unknown' });
    }));
});

describe.concurrent('delete resolves to undefined', () => {
  const answers: readonly (readonly [string, Answer])[] = [
    ['204', { status: 204 }],
    ['an empty 200', { status: 200 }],
    ['JSON with data', json(200, { data: { deleted: true } })],
    ['JSON without data', json(200, { ok: 1 })],
    ['JSON null', json(200, null)],
    ['a JSON array', json(202, [])],
    ['chunked JSON', { ...json(200, { data: {} }), chunked: true }],
  ];
  it.each(answers)('%s', (_, answer) =>
    scene({ answers: [answer] }, async ({ service, client }) => {
      const { data, response } = await client.funds.addresses.delete(ACCOUNT, ADDRESS_ID).withResponse();
      expect(data).toBeUndefined();
      expect(response.status).toBe(answer.status ?? 200);
      expect(service.requests).toHaveLength(1);
    }),
  );
});

describe('a failed call of which only the response is awaited', () => {
  it('rejects there, and leaves no rejection unhandled', () =>
    scene({ answers: [status(404)] }, async ({ client }) => {
      const unhandled = vi.fn();
      process.on('unhandledRejection', unhandled);
      try {
        expect(await failure(GET.invoke(client).withResponse())).toBeInstanceOf(ApiError);
        await new Promise(setImmediate);
        expect(unhandled).not.toHaveBeenCalled();
      } finally {
        process.off('unhandledRejection', unhandled);
      }
    }));
});
