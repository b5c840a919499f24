import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, type PartnerError, ResponseValidationError } from '../../../src/index.js';
import { fakeTransport } from '../../support/fake-transport.js';
import { USER } from '../support/operations.js';
import { failure, json, rejection, startService } from '../support/service.js';

const service = startService();

/** Clears a screen, sets a colour in eight bits, begins a line of a log, and turns the writing round. */
const HOSTILE = 'x\u001b[2J\u009b31m\n2026 INFO paid\r\u0085\u2028\u2029\u202e\u2066\u007f\u0000y';
const SHOWN = 'x\\u001b[2J\\u009b31m\\u000a2026 INFO paid\\u000d\\u0085\\u2028\\u2029\\u202e\\u2066\\u007f\\u0000y';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be shown.
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\n2026 INFO/;

/** Every text that a value holds, names and hidden members included. */
function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((name) => [String(name), ...textsIn(Reflect.get(value, name), seen)]);
}

function expectPrintable(value: unknown): void {
  const printed = [inspect(value), inspect(value, { depth: 10, showHidden: true }), JSON.stringify(value)];
  for (const text of [...printed, String(value), ...textsIn(value)]) expect(text).not.toMatch(UNPRINTABLE);
}

const read = (client = service.client()) => rejection(client.users.get(USER)) as Promise<PartnerError>;

describe('a text of the service cannot write on a terminal or begin a line of a log', () => {
  it.each([
    ['code', HOSTILE, {}],
    ['type', 'bad_request', { type: HOSTILE }],
    ['instance', 'bad_request', { instance: HOSTILE }],
    ['doc_url', 'bad_request', { doc_url: HOSTILE }],
    ['field of a cause', 'bad_request', { causes: [{ field: HOSTILE, message: 'is wrong' }] }],
    ['message of a cause', 'bad_request', { causes: [{ field: 'key', message: HOSTILE }] }],
    ['member of a cause, at any depth', 'bad_request', { causes: [{ a: [{ b: HOSTILE }] }] }],
    ['name of a member of a cause', 'bad_request', { causes: [{ [HOSTILE]: { [HOSTILE]: 1 } }] }],
  ])('%s of a refusal', async (_, code, members) => {
    service.answer(() => failure(400, code, members));
    const error = await read();
    expect(error).toBeInstanceOf(ApiError);
    expectPrintable(error);
    expect(textsIn(error)).toContain(SHOWN);
  });

  it('the text of a refusal without envelope, and its headers', async () => {
    service.answer(() => new Response(HOSTILE, { status: 502, headers: { 'x-note': 'a\u001b[2J\u009b31mb' } }));
    const error = (await read()) as ApiError;
    expectPrintable(error);
    expect(error.body).toBe(SHOWN);
    expect(error.headers['x-note']).toBe('a\\u001b[2J\\u009b31mb');
  });

  it.each(['strict', 'warn'] as const)('the content type of an answer that is no JSON (%s)', async (mode) => {
    service.answer(() => new Response('no', { headers: { 'content-type': 'text/a\u001b[2J\u009b31m' } }));
    const lines: unknown[] = [];
    const logger = {
      warn: (...line: unknown[]) => void lines.push(line),
      error: (...line: unknown[]) => void lines.push(line),
    };
    const error = await read(service.client({ responseValidation: mode, logger }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.message).toContain('text/a\\u001b[2J\\u009b31m');
    expectPrintable(error);
    expect(lines.length).toBeGreaterThan(0);
    expectPrintable(lines);
  });

  it('names and texts that a schema of the caller puts into its issues', async () => {
    service.answer(() => json({ data: { [HOSTILE]: HOSTILE } }));
    const quoting = (data: unknown) => ({
      issues: [{ message: JSON.stringify(data) + HOSTILE, path: Object.keys(Object(data)) }],
    });
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate: quoting } };
    const error = await rejection(service.client().request({ method: 'GET', path: '/v1/x', schema }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expectPrintable(error);
    const lines: unknown[] = [];
    const client = service.client({ responseValidation: 'warn', logger: { warn: (...line) => void lines.push(line) } });
    await client.request({ method: 'GET', path: '/v1/x', schema });
    expect(lines).toHaveLength(1);
    expectPrintable(lines);
  });

  it('code in the lines of the logger, in hooks and in the failures of attempts', async () => {
    service.answer(() => failure(503, HOSTILE, {}, '0'));
    const seen: unknown[] = [];
    const note = (...told: unknown[]) => void seen.push(told);
    const client = service.client({
      maxRetries: 1,
      logger: { debug: note, info: note, warn: note, error: note },
      hooks: { onRetry: note, onError: note, onResponse: note },
    });
    const error = await read(client);
    expect(error.attempts.failures.map(({ code }) => code)).toEqual([SHOWN, SHOWN]);
    expect(seen.length).toBeGreaterThan(4);
    expectPrintable(seen);
  });

  it('headers of a success', async () => {
    service.answer(() => json({ data: {} }, 200, { 'x-note': 'a\u001b[2J\u009b31mb' }));
    const { response } = await service.client().request({ method: 'GET', path: '/v1/x' }).withResponse();
    expect(response.headers['x-note']).toBe('a\\u001b[2J\\u009b31mb');
  });

  it('texts of an error of the transport', async () => {
    const cause = Object.assign(new Error(HOSTILE, { cause: new Error(HOSTILE) }), { code: HOSTILE });
    const transport = fakeTransport((listener) => listener.onError(cause, 'lost'));
    const error = await read(service.client({ transport }));
    expect(error).toBeInstanceOf(ConnectionError);
    expectPrintable(error);
    expect((error as ConnectionError).code).toBe(SHOWN);
  });
});
