import { afterEach, describe, expect, it, vi } from 'vitest';
import * as sdk from '../../../src/index.js';
import { ApiError, isApiError, isPartnerError, PartnerError } from '../../../src/index.js';
import { invoke, OPERATIONS, operation, USER } from '../support/operations.js';
import { failure, json, rejection, startService } from '../support/service.js';

const service = startService();

const CLASSES: readonly (readonly [status: number, code: string, name: keyof typeof sdk])[] = [
  [400, 'bad_request', 'BadRequestError'],
  [401, 'unauthenticated', 'UnauthenticatedError'],
  [403, 'forbidden', 'ForbiddenError'],
  [404, 'user_not_found', 'NotFoundError'],
  [409, 'conflict', 'ConflictError'],
  [410, 'gone', 'GoneError'],
  [429, 'resource_exhausted', 'ResourceExhaustedError'],
  [500, 'internal', 'InternalError'],
  [501, 'unimplemented', 'UnimplementedError'],
  [503, 'unavailable', 'UnavailableError'],
  [504, 'deadline_exceeded', 'DeadlineExceededError'],
];
const SUBCLASSES = CLASSES.map(([, , name]) => name);
type ErrorClass = new (...args: never[]) => Error;
const classOf = (name: keyof typeof sdk, copy: typeof sdk = sdk): ErrorClass => copy[name] as unknown as ErrorClass;

const apiError = async (call: PromiseLike<unknown>): Promise<ApiError> => {
  const error = await rejection(call, ApiError);
  return error as ApiError;
};
const read = (): Promise<ApiError> => apiError(service.client().users.get(USER));

describe.each(CLASSES)('%i %s', (status, code, name) => {
  it(`is a ${name} with every member of the answer`, async () => {
    const causes = [
      { field: 'key', message: 'is taken' },
      { code: 'x', param: 'y', detail: 'z', more: [1] },
    ];
    const members = { type: 'funding_error', doc_url: 'https://docs.partner.test/e', causes, brand_new: 1 };
    service.answer(() => failure(status, code, members, '2'));
    const error = await read();
    expect(error).toBeInstanceOf(classOf(name));
    expect(error.name).toBe(name);
    expect(error).toMatchObject({
      response: { status },
      code,
      type: 'funding_error',
      instance: 'occurrence-1',
      docUrl: 'https://docs.partner.test/e',
      causes,
      retryAfter: 2_000,
      outcome: 'not_applied',
      operation: 'users.get',
      idempotencyKey: undefined,
    });
    // One more attempt follows a 401.
    const attempts = status === 401 ? 2 : 1;
    const failures = Array.from({ length: attempts }, () => ({ reason: 'status', status }));
    expect(error.attempts).toMatchObject({ count: attempts, failures });
    for (const other of SUBCLASSES) expect(error instanceof classOf(other)).toBe(other === name);
    expect(isPartnerError(error) && isApiError(error) && isApiError(error, code)).toBe(true);
    expect(isApiError(error, 'something_else')).toBe(false);
  });

  it('has empty members where the answer has none', async () => {
    service.answer(() => json({ error: { type: 't', status, instance: 'i', code } }, status));
    expect(await read()).toMatchObject({ causes: [], docUrl: undefined, retryAfter: undefined });
  });

  it('survives without an envelope', async () => {
    const bodies = [
      ...['<html>Bad Gateway</html>', '', 'null', '[]', '"no"', '{}', '{"error": "no"}', '{"error": null}'],
      ...['{"error', Uint8Array.of(0xff, 0xfe, 0x00, 0xc3)],
    ];
    for (const body of bodies) {
      service.answer(() => new Response(body, { status, headers: { 'content-type': 'text/html' } }));
      const error = await read();
      expect(error).toBeInstanceOf(classOf(name));
      expect(error, String(body)).toMatchObject({ response: { status }, code: '', type: '', instance: '', causes: [] });
      expect(error.message).toContain(String(status));
    }
  });
});

describe('ApiError', () => {
  it.each([402, 405, 406, 408, 411, 418, 422, 451, 502, 505, 520])('%i is a plain one', async (status) => {
    service.answer(() => failure(status, 'strange'));
    const error = await read();
    expect(error).toMatchObject({ response: { status }, code: 'strange' });
    for (const name of SUBCLASSES) expect(error instanceof classOf(name)).toBe(false);
  });

  it('members of a wrong kind do not break it', async () => {
    const error = { type: [5], status: 'x', instance: null, code: { a: 1 }, doc_url: false, causes: 'none' };
    service.answer(() => json({ error }, 409));
    const read409 = await read();
    expect(read409).toBeInstanceOf(sdk.ConflictError);
    expect(read409).toMatchObject({
      response: { status: 409 },
      code: '',
      type: '',
      instance: '',
      causes: [],
      docUrl: undefined,
    });
  });

  it('numbers are read as text, and a number as the code does not prove that the service rejected a write', async () => {
    const error = { type: 5, status: 409, instance: 7, code: 9 };
    service.answer(() => json({ error }, 409));
    const members = { message: '409 9 (users.get)', code: '9', type: '5', instance: '7', body: undefined };
    expect(await read()).toMatchObject(members);
    for (const [code, outcome] of [
      [9, 'unknown'],
      ['9', 'not_applied'],
    ] as const) {
      service.answer(() => json({ error: { ...error, code } }, 409));
      await rejection(invoke(operation('accounts.quotes.create'), service.client()), sdk.ConflictError, { outcome });
    }
  });

  it('a number that may have lost digits is not shown: support would look for another request', async () => {
    service.answer(() => json({ error: { code: 'conflict', instance: 2 ** 60 } }, 409));
    expect(await read()).toMatchObject({ code: 'conflict', instance: '' });
  });

  it('a message of a cause that cannot be turned into text does not break it', async () => {
    const wrong = [{ field: 'key', message: { toString: 1, valueOf: 1 } }, { field: { toString: null } }];
    const causes = [...wrong, 'text', null, 3];
    service.answer(() => failure(400, 'bad_request', { causes }));
    const error = await read();
    expect(error).toBeInstanceOf(sdk.BadRequestError);
    expect(error.message).toBe('400 bad_request (users.get): key: is wrong');
    expect(error.causes).toEqual(wrong);
  });

  it('a partial envelope gives what it has', async () => {
    service.answer(() => json({ error: { code: 'conflict' } }, 409));
    expect(await read()).toMatchObject({ response: { status: 409 }, code: 'conflict', type: '', instance: '' });
  });

  it('the status of the answer counts, not the one in the envelope', async () => {
    service.answer(() => json({ error: { code: 'conflict', status: 400, type: 't', instance: 'i' } }, 409));
    expect(await read()).toBeInstanceOf(sdk.ConflictError);
  });

  it('keeps the text of an answer without envelope, clipped, and the headers, out of JSON', async () => {
    const headers = { 'X-Trace': 'trace-7', 'content-type': 'text/html' };
    service.answer(() => new Response(`<html>${'x'.repeat(50_000)}`, { status: 502, headers }));
    const error = await read();
    expect(error.body?.startsWith('<html>x')).toBe(true);
    expect(error.body?.length).toBeLessThan(10_000);
    expect(error.response.headers['x-trace']).toBe('trace-7');
    expect(JSON.stringify(error)).not.toMatch(/<html>|trace-7/);
  });

  it('JSON shows what a log needs', async () => {
    service.answer(() => failure(429, 'resource_exhausted', {}, '1'));
    expect(JSON.parse(JSON.stringify(await read()))).toMatchObject({
      name: 'ResourceExhaustedError',
      response: { status: 429 },
      code: 'resource_exhausted',
      instance: 'occurrence-1',
      retryAfter: 1_000,
      outcome: 'not_applied',
      operation: 'users.get',
      attempts: { count: 1 },
    });
  });

  it.each([
    ['service_error', 'gateway', true],
    ['request_error', 'forbidden', false],
  ])('403 of type %s and code %s: gateway is %s', async (type, code, gateway) => {
    service.answer(() => failure(403, code, { type }));
    expect(await read()).toMatchObject({ name: 'ForbiddenError', gateway });
  });
});

describe('guards and instanceof', () => {
  afterEach(() => void vi.resetModules());

  it('hold across two copies of the package', async () => {
    vi.resetModules();
    const copy: typeof sdk = await import('../../../src/index.js');
    expect(copy.ConflictError).not.toBe(sdk.ConflictError);
    service.answer(() => failure(409, 'conflict'));
    const error = await read();
    expect(error).toBeInstanceOf(copy.ConflictError);
    expect(error).toBeInstanceOf(copy.ApiError);
    expect(error).toBeInstanceOf(copy.PartnerError);
    expect(error).not.toBeInstanceOf(copy.NotFoundError);
    expect(copy.isApiError(error, 'conflict') && copy.isPartnerError(error)).toBe(true);
    expect(() => new copy.PartnerClient({ baseUrl: 'no' })).toThrow(sdk.ConfigurationError);
  });

  it('refuse what is no error of this package', () => {
    const fakes = [
      new Error('x'),
      null,
      undefined,
      5,
      'ApiError',
      {},
      { name: 'ApiError', code: 'conflict' },
      () => {},
      [],
    ];
    for (const value of fakes) {
      expect(isPartnerError(value) || isApiError(value) || isApiError(value, 'conflict')).toBe(false);
      expect(value instanceof PartnerError || (value as unknown) instanceof ApiError).toBe(false);
    }
  });

  it('every class is an Error with its own name', () => {
    const names = Object.keys(sdk).filter((name) => name.endsWith('Error') && /^[A-Z]/.test(name));
    const others = [
      'PartnerError',
      'ApiError',
      'ConfigurationError',
      'RequestValidationError',
      'ResponseValidationError',
      'TradeError',
    ];
    const ends = ['ConnectionError', 'TimeoutError', 'AbortedError', 'ProviderError', 'WebhookVerificationError'];
    expect(names.sort()).toEqual([...others, ...ends, ...SUBCLASSES].sort());
    for (const name of names) {
      const { prototype } = classOf(name as keyof typeof sdk);
      expect(Object.prototype.isPrototypeOf.call(Error.prototype, prototype)).toBe(true);
      expect((prototype as Error).name).toBe(name);
    }
  });

  it('an application can derive its own class, which catches only its own', async () => {
    class Mine extends sdk.ConflictError {}
    service.answer(() => failure(409, 'conflict'));
    expect((await read()) instanceof Mine).toBe(false);
  });
});

describe('what an error says about its call', () => {
  it.each(OPERATIONS)('$name: operation, key and outcome', async (op) => {
    for (const [status, outcome] of [
      [400, 'not_applied'],
      [500, op.method === 'GET' ? 'not_applied' : 'unknown'],
    ] as const) {
      service.answer(() => failure(status, 'refused'));
      const error = await apiError(invoke(op, service.client()));
      const idempotencyKey = service.received.at(-1)?.headers['idempotency-key'];
      expect(error).toMatchObject({ operation: op.name, outcome, idempotencyKey });
      expect(idempotencyKey === undefined).toBe(op.key === undefined);
    }
  });
});
