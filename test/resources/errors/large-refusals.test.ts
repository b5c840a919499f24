import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError, BadRequestError } from '../../../src/index.js';
import { failure, rejection, startService } from '../support/service.js';

const service = startService();
const large = (letter: string) => letter.repeat(2_000_000);

const CASES: readonly (readonly [member: string, code: string, members: Record<string, unknown>])[] = [
  ['code', large('c'), {}],
  ['instance', 'bad_request', { instance: large('i') }],
  ['type', 'bad_request', { type: large('t') }],
  ['doc_url', 'bad_request', { doc_url: `https://docs.test/${large('d')}` }],
  ['message of a cause', 'bad_request', { causes: [{ field: 'key', message: large('m') }] }],
  ['field of a cause', 'bad_request', { causes: [{ field: large('f'), message: 'wrong' }] }],
  ['number of causes', 'bad_request', { causes: Array.from({ length: 50_000 }, () => ({ field: 'a', message: 'b' })) }],
  ['everything', large('c'), { instance: large('i'), causes: [{ field: 'key', message: large('m') }] }],
];

describe('a refusal of two megabytes makes an error that fits into a log', () => {
  it.each(CASES)('%s', async (_, code, members) => {
    service.answer(() => failure(400, code, members));
    const error = (await rejection(service.client().request({ method: 'GET', path: '/v1/x' }))) as ApiError;
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.status).toBe(400);
    expect(error.message.length).toBeLessThan(5_000);
    expect(error.code.length).toBeLessThan(5_000);
    expect(error.instance.length).toBeLessThan(5_000);
    expect(JSON.stringify(error).length).toBeLessThan(64_000);
    expect(error.stack?.length).toBeLessThan(10_000);
    expect(inspect(error).length).toBeLessThan(64_000);
  });

  it('the largest that a service can bring about has less than 64 kB as JSON', async () => {
    const wide = '東'.repeat(2_000);
    const causes = [
      ...Array.from({ length: 6 }, () => ({ field: wide.slice(0, 500), message: wide })),
      ...Array.from({ length: 30 }, () => ({ [`"${wide.slice(0, 90)}`]: [[[-1.5e-300, true, '\n"\u0085']]] })),
    ];
    service.answer(() => failure(503, wide, { type: wide, instance: wide, doc_url: wide, causes }, '0'));
    const client = service.client({ maxRetries: 70 });
    const error = (await rejection(client.request({ method: 'GET', path: '/v1/x' }))) as ApiError;
    expect(error.attempts.count).toBe(71);
    expect(error.attempts.failures).toHaveLength(50);
    const size = Buffer.byteLength(JSON.stringify(error));
    expect(size).toBeGreaterThan(40_000);
    expect(size).toBeLessThan(64_000);
  });

  it('hooks and logger see little of it as well', async () => {
    service.answer(() => failure(503, large('c'), { instance: large('i') }, '0'));
    const seen: string[] = [];
    const line = (message: string, fields: object) => void seen.push(message + JSON.stringify(fields));
    const client = service.client({ maxRetries: 1, logger: { warn: line, error: line } });
    await rejection(client.request({ method: 'GET', path: '/v1/x' }));
    expect(seen).toHaveLength(2);
    for (const text of seen) expect(text.length).toBeLessThan(64_000);
  });

  it('one of ordinary size is kept whole', async () => {
    const causes = Array.from({ length: 20 }, (_, place) => ({ field: `member.${place}`, message: 'is wrong' }));
    service.answer(() => failure(400, 'bad_request', { causes, doc_url: 'https://docs.test/a' }));
    const error = await rejection(service.client().request({ method: 'GET', path: '/v1/x' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'bad_request',
      instance: 'occurrence-1',
      docUrl: 'https://docs.test/a',
      causes,
    });
  });
});
