import { describe, expect, it } from 'vitest';
import type { ApiError, ResponseValidationError } from '../../../src/index.js';
import { USER } from '../support/operations.js';
import { failure, json, rejection, startService } from '../support/service.js';

const service = startService();
const letters = (count: number) => 'x'.repeat(count);
const cut = (count: number) => `${letters(count)}…`;

async function refusal(members: Record<string, unknown>, code = 'bad_request'): Promise<ApiError> {
  service.answer(() => failure(400, code, members));
  return (await rejection(service.client().users.get(USER))) as ApiError;
}

describe('an error keeps of what the service sent', () => {
  it.each([
    ['100 characters of code', (text: string) => refusal({}, text), (error: ApiError) => error.code, 100],
    ['200 of type', (text: string) => refusal({ type: text }), (error: ApiError) => error.type, 200],
    ['200 of instance', (text: string) => refusal({ instance: text }), (error: ApiError) => error.instance, 200],
    ['1,000 of doc_url', (text: string) => refusal({ doc_url: text }), (error: ApiError) => error.docUrl, 1_000],
    [
      '1,000 of a text of a cause',
      (text: string) => refusal({ causes: [{ message: text }] }),
      (error: ApiError) => error.causes[0]?.message,
      1_000,
    ],
  ])('%s', async (_, make, shown, limit) => {
    expect(shown(await make(letters(limit)))).toBe(letters(limit));
    expect(shown(await make(letters(limit + 1)))).toBe(cut(limit));
  });

  it('200 characters of a cause in the message', async () => {
    const { message } = await refusal({ causes: [{ field: 'key', message: letters(201) }] });
    expect(message).toBe(`400 bad_request (users.get): key: ${cut(200)}`);
  });

  it('32 members, 32 elements and 8 levels of a cause', async () => {
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`m${place}`, 1]));
    const nested = (levels: number): unknown => (levels === 0 ? 'innermost' : [nested(levels - 1)]);
    const kept = [members(32), { a: letters(32).split('') }, { deep: nested(8) }];
    expect((await refusal({ causes: kept })).causes).toEqual(kept);
    const { causes } = await refusal({ causes: [members(33), { a: letters(33).split('') }, { deep: nested(9) }] });
    expect(causes[0]).toEqual({ ...members(32), '…': '…' });
    expect(causes[1]).toEqual({ a: [...letters(32), '…'] });
    expect(JSON.stringify(causes[2])).toBe(JSON.stringify({ deep: nested(8) }).replace('innermost', '…'));
  });

  it('100 causes, and 24,000 bytes of them', async () => {
    const many = (count: number, length: number) => Array.from({ length: count }, () => ({ message: letters(length) }));
    expect((await refusal({ causes: many(101, 5) })).causes).toHaveLength(100);
    const { causes } = await refusal({ causes: many(100, 500) });
    expect(causes.length).toBeLessThan(60);
    expect(JSON.stringify(causes).length).toBeGreaterThan(20_000);
    expect(JSON.stringify(causes).length).toBeLessThan(25_000);
  });

  it('what stands in the first 65,536 bytes of the body', async () => {
    const padded = (size: number) => {
      const before = '{"error":{"code":"bad_request","causes":[{"pad":"';
      return `${before}${letters(size - before.length)}"},{"message":"behind"}]}}`;
    };
    const causesOf = async (size: number) => {
      service.answer(() => new Response(padded(size), { status: 400 }));
      const error = (await rejection(service.client().users.get(USER))) as ApiError;
      return { code: error.code, causes: error.causes.map(({ message }) => message) };
    };
    expect(await causesOf(65_000)).toEqual({ code: 'bad_request', causes: [undefined, 'behind'] });
    expect(await causesOf(65_536)).toEqual({ code: 'bad_request', causes: [undefined] });
  });

  it('1,000 characters of a body without envelope, or of another shape', async () => {
    service.answer(() => new Response(letters(1_001), { status: 502 }));
    expect(((await rejection(service.client().users.get(USER))) as ApiError).body).toBe(cut(1_000));
    service.answer(() => json({ data: letters(2_000) }));
    const error = (await rejection(service.client().users.get(USER))) as ResponseValidationError;
    expect(error.body).toHaveLength(1_001);
  });

  it('100 issues of a schema of the caller, and 24,000 bytes of them', async () => {
    service.answer(() => json({ data: {} }));
    const issuesOf = async (count: number, length: number) => {
      const issues = Array.from({ length: count }, () => ({ message: letters(length), path: ['a'] }));
      const schema = { '~standard': { version: 1 as const, vendor: 'test', validate: () => ({ issues }) } };
      const call = service.client().request({ method: 'GET', path: '/v1/x', schema });
      return ((await rejection(call)) as ResponseValidationError).issues;
    };
    expect(await issuesOf(101, 5)).toHaveLength(100);
    expect((await issuesOf(100, 900)).length).toBeLessThan(30);
  });
});

const large = (letter: string) => letter.repeat(2_000_000);

describe('a refusal of two megabytes makes an error that fits into a log', () => {
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
});
