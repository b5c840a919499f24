import { describe, expect, it, vi } from 'vitest';
import { AbortedError, fetchTransport, PartnerClient, PartnerError, type RequestOptions } from '../../src/index.js';
import { rejection } from '../resources/support/service.js';
import { end, underFakeTimers } from '../resources/support/waiting.js';

underFakeTimers();

const BODY = { asset_symbol: 'BTC', method_id: '3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b', key: 'cold', address: 'bc1q' };

/** A service that answers each request with the next of these, the last for ever. */
function serviceThat(...answers: (number | 'lost' | 'html' | 'in 20 s' | 'never')[]) {
  const keys: (string | undefined)[] = [];
  const times: number[] = [];
  const begun = Date.now();
  const serve = async (_: string, init: RequestInit): Promise<Response> => {
    const answer = answers[Math.min(keys.length, answers.length - 1)];
    times.push(Date.now() - begun);
    keys.push((init.headers as Record<string, string>)['idempotency-key']);
    if (answer === 'lost') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
    if (answer === 'never') return new Promise(() => {});
    if (answer === 'html') return new Response('<html>');
    if (answer === 'in 20 s') return new Response('', { status: 503, headers: { 'retry-after': '20' } });
    if (answer === 200) return Response.json({ data: { key: 'cold', tag: null } });
    return Response.json({ error: { type: 'server_error', code: 'internal' } }, { status: answer ?? 500 });
  };
  const transport = fetchTransport({ fetch: serve as typeof fetch });
  const credentials = { apiKey: 'k', apiSecret: Buffer.from('secret').toString('base64') };
  const client = new PartnerClient({ baseUrl: 'https://api.partner.test', ...credentials, maxRetries: 0, transport });
  const save = (options?: RequestOptions) => client.funds.withdrawalAddresses.save('ACCOUNT-MAIN-0001', BODY, options);
  return { client, save, keys, times };
}

function abortedAfter(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('shutdown')), milliseconds);
  return controller.signal;
}

type Save = (options?: RequestOptions) => Promise<unknown>;

const failed = async (call: PromiseLike<unknown>): Promise<PartnerError> => rejection(call, PartnerError);

describe('a write that is called again after its outcome was unknown', () => {
  const warned = () => vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);

  it('without its idempotency key causes one warning, because it may happen twice', async () => {
    const { save } = serviceThat('lost');
    const warnings = warned();
    await failed(save());
    expect(warnings).not.toHaveBeenCalled();
    for (let retry = 1; retry <= 3; retry++) await failed(save());
    expect(warnings.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /^partner-sdk: funds\.withdrawalAddresses\.save is called again .* pass the idempotencyKey of the error/,
      ),
    ]);
  });

  it('with its key, with other contents, or once it is known to be applied causes none', async () => {
    const { client, save } = serviceThat('lost', 'lost', 'lost', 200);
    const warnings = warned();
    const { idempotencyKey } = await failed(save());
    await failed(save({ idempotencyKey }));
    await failed(client.funds.withdrawalAddresses.save('ACCOUNT-MAIN-0001', { ...BODY, key: 'warm' }));
    await save({ idempotencyKey });
    await save();
    expect(warnings).not.toHaveBeenCalled();
  });
});

describe('client.settle', () => {
  it('makes the call again with its key, until it succeeds, and gives its result', async () => {
    const { client, save, keys, times } = serviceThat('lost', 500, 'html', 503, 200);
    const error = await failed(save());
    expect(error.outcome).toBe('unknown');
    const { value } = await end(client.settle(error, save));
    expect(value).toEqual({ key: 'cold', tag: null });
    expect(new Set(keys)).toEqual(new Set([error.idempotencyKey]));
    expect(times).toHaveLength(5);
    const gaps = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0));
    for (const [index, gap] of gaps.entries()) expect(gap).toBeGreaterThanOrEqual(500 * 1.5 ** index - 1);
  });

  it('gives up at its timeout, with an unknown outcome and the last failure', async () => {
    const { client, save, keys } = serviceThat('lost', 409, 410);
    const error = await failed(save());
    const ending = await end(client.settle(error, save, { timeout: 30_000 }));
    const { outcome, idempotencyKey, operation } = error;
    expect(ending.error).toMatchObject({ outcome, idempotencyKey, operation, cause: { name: 'GoneError' } });
    const { message, cause } = ending.error as PartnerError;
    expect(message).toBe(
      `the outcome of ${operation} stays unknown: the last retry failed: ${(cause as Error).message}`,
    );
    expect(String(cause)).toContain(': 410 internal (funds.withdrawalAddresses.save): read the resource, ');
    expect(ending.settledAfter).toBeLessThanOrEqual(31_000);
    expect(keys.length).toBeGreaterThan(3);
  });

  it('waits as long as the service asks, also before the first repeat', async () => {
    const { client, save, times } = serviceThat('in 20 s', 'in 20 s', 200);
    const { value } = await end(client.settle(await failed(save()), save));
    expect(value).toMatchObject({ key: 'cold' });
    expect(times.map((time) => Math.round(time / 1_000))).toEqual([0, 20, 40]);
  });

  it('ends at once when the service asks for a longer wait than there is time', async () => {
    const { client, save, keys } = serviceThat('lost', 'in 20 s');
    const error = await failed(save());
    const ending = await end(client.settle(error, save, { timeout: 15_000 }));
    expect(ending.error).toMatchObject({
      outcome: 'unknown',
      cause: { response: { status: 503 }, retryAfter: 20_000 },
    });
    expect((ending.error as Error).message).toMatch(/: the service asks to wait 20 s, longer than timeout$/);
    expect(ending.settledAfter).toBeLessThan(1_000);
    expect(keys).toHaveLength(2);
  });

  it('is not misled by a refusal: the first attempt may have been applied', async () => {
    const { client, save } = serviceThat('lost', 409, 404);
    const error = await failed(save());
    expect((await end(client.settle(error, save, { timeout: 5_000 }))).error).toMatchObject({ outcome: 'unknown' });
  });

  it('throws an error as it is, unless its outcome is unknown, and sends nothing', async () => {
    const { client, save, keys } = serviceThat(404);
    const error = await failed(save());
    for (const one of [error, new Error('of the program')]) {
      expect(await rejection(client.settle(one, save))).toBe(one);
    }
    expect(keys).toHaveLength(1);
  });

  it('refuses what is no function in place of the call', async () => {
    const { client, save, keys } = serviceThat('lost');
    const error = await failed(save());
    const settled = client.settle(error, undefined as unknown as typeof save);
    expect(await failed(settled)).toMatchObject({ name: 'RequestValidationError', issues: [{ path: 'call' }] });
    expect(keys).toHaveLength(1);
  });

  it.each([
    ['makes no key', {}],
    ['makes another key', { idempotencyKey: 'a1b2c3d4-0000-4000-8000-000000000000' }],
  ])('never lets a function that ignores its options and %s make a second write', async (_, options) => {
    const { client, save, keys } = serviceThat('lost', 200);
    const error = await failed(save());
    const unsettled = await failed(client.settle(error, () => save(options)));
    expect(unsettled).toMatchObject({ outcome: 'unknown', idempotencyKey: error.idempotencyKey });
    expect(unsettled.message).toContain('pass on the options that settle() passes to your function');
    expect(keys).toEqual([error.idempotencyKey]);
  });

  it('does not call it a success if its function made the write another way, after waiting for something', async () => {
    const { client, save } = serviceThat('lost', 200);
    const error = await failed(save());
    const late = async () => Promise.resolve().then(() => save());
    const unsettled = await failed(client.settle(error, late));
    expect(unsettled).toMatchObject({ outcome: 'unknown', idempotencyKey: error.idempotencyKey });
    expect(unsettled.message).toContain('there may be two');
  });

  it.each<[string, (save: Save) => Save]>([
    ['does not await its call', (save) => async (options) => void save(options).catch(() => {})],
    ['hides the failure of its call', (save) => (options) => save(options).catch(() => undefined)],
  ])('does not call it a success if its function %s', async (_, careless) => {
    const { client, save, keys } = serviceThat('lost');
    const error = await failed(save());
    const unsettled = await failed(client.settle(error, careless(save)));
    expect(unsettled).toMatchObject({ outcome: 'unknown', idempotencyKey: error.idempotencyKey });
    expect(unsettled.message).toContain('had succeeded when your function ended');
    await vi.advanceTimersByTimeAsync(100);
    expect(keys).toHaveLength(2);
  });

  it('takes a function that derives the same key again, and lets other writes pass meanwhile', async () => {
    const { client, save, keys } = serviceThat('lost', 200);
    const error = await failed(save());
    const rename = () => client.funds.withdrawalAddresses.update('ACCOUNT-MAIN-0001', 'cold', { new_key: 'c' });
    const both = async () => [await save({ idempotencyKey: error.idempotencyKey }), await rename(), await save()];
    await client.settle(error, both);
    expect(keys.filter((key) => key === error.idempotencyKey)).toHaveLength(2);
    expect(keys).toHaveLength(4);
  });

  it('says that a write without key must be looked up', async () => {
    const { client, keys } = serviceThat('lost');
    const post = () => client.request({ method: 'POST', path: '/v1/x', body: {} });
    const error = await failed(post());
    const unsettled = await failed(client.settle(error, post));
    expect(unsettled).toMatchObject({ outcome: 'unknown', cause: error });
    expect(unsettled.message).toContain('look up');
    expect(keys).toHaveLength(1);
  });

  it('ends at once by its signal, and says that the outcome is unknown', async () => {
    const { client, save } = serviceThat('lost');
    const error = await failed(save());
    const controller = new AbortController();
    const ending = end(client.settle(error, save, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort(new Error('enough'));
    expect((await ending).error).toBeInstanceOf(AbortedError);
    expect((await ending).error).toMatchObject({ outcome: 'unknown', cause: { message: 'enough' } });
  });

  it.each([
    ['before the call', () => AbortSignal.abort(new Error('shutdown'))],
    ['while the call is under way', () => abortedAfter(100)],
  ])('ends at once when the signal of the function itself aborts %s', async (_, signal) => {
    const { client, save, keys } = serviceThat('lost', 'never');
    const error = await failed(save());
    const own = signal();
    const ending = await end(client.settle(error, (options) => save({ ...options, signal: own }), { timeout: 8_000 }));
    expect(ending.error).toBeInstanceOf(AbortedError);
    expect(ending.error).toMatchObject({ outcome: 'unknown', idempotencyKey: error.idempotencyKey });
    expect(ending.error).toMatchObject({ cause: { message: 'shutdown' } });
    expect(ending.settledAfter).toBeLessThan(1_000);
    expect(keys.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['1 s', 10_000, 1_000],
    ['an attempt, if that is less', 200, 200],
  ])(
    'begins no call that has less time than %s, so its last error is that of the service',
    async (_, attemptTimeout, least) => {
      for (const timeout of [3_000, 8_000, 30_000]) {
        const { client, save } = serviceThat('lost', 503);
        const error = await failed(save());
        const times: number[] = [];
        const ending = await end(
          client.withOptions({ attemptTimeout }).settle(
            error,
            (options) => {
              times.push(options.timeout ?? 0);
              return save(options);
            },
            { timeout },
          ),
        );
        expect(ending.error).toMatchObject({ outcome: 'unknown', cause: { name: 'UnavailableError' } });
        expect(Math.min(...times)).toBeGreaterThanOrEqual(least);
        expect(times.length).toBeGreaterThan(1);
      }
    },
  );

  it('makes one call also when its timeout is shorter than that', async () => {
    const { client, save } = serviceThat('lost', 200);
    const { value } = await end(client.settle(await failed(save()), save, { timeout: 50 }));
    expect(value).toMatchObject({ key: 'cold' });
  });

  it('ends with what the function throws that is no error of a call', async () => {
    const { client, save } = serviceThat('lost');
    const error = await failed(save());
    const bug = new TypeError('a bug');
    expect(await rejection(client.settle(error, () => Promise.reject(bug)))).toBe(bug);
    const closed = await failed(client.settle(error, () => save({ idempotencyKey: 'no UUID' })));
    expect(closed).toMatchObject({ outcome: 'unknown', cause: { name: 'RequestValidationError' } });
  });
});
