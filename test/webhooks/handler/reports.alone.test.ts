import { afterEach, describe, expect, it, vi } from 'vitest';
import { nodeWebhookHandler, signWebhook, webhookHandler } from '../../../src/webhooks/index.js';
import { executed, type Options, recording, SECRET, seconds, throwing } from '../support/receiving.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A handler whose options say nothing of reports but what is given, and the lines that it writes. */
function listening(options: Options = {}) {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {});
  const handler = webhookHandler({ secret: SECRET, onEvent: () => {}, ...options });
  const send = async (init: RequestInit): Promise<number> =>
    (await handler(new Request('https://partner.test', { method: 'POST', ...init }))).status;
  const deliver = (event: object) => {
    const body = JSON.stringify(event);
    return send({ body, headers: signWebhook({ body, secret: SECRET }) });
  };
  const lines = () => written.mock.calls.map((values) => values.join(' '));
  return { send, deliver, lines };
}

const body = JSON.stringify(executed('evt_1'));
const signed = (options: object = {}) => signWebhook({ body, secret: SECRET, ...options });

describe('without onRejected, console.error says', () => {
  const REJECTED: readonly (readonly [string, RequestInit, RegExp])[] = [
    ['missing_header', { body }, /400 missing_header: .*X-Signature/],
    ['bad_format', { body, headers: { 'X-Signature': 'v1=zz' } }, /400 bad_format: .*scheme/],
    [
      'bad_signature',
      { body, headers: signed({ secret: 'YW5vdGhlciBzaWduaW5nIHNlY3JldA==' }) },
      /400 bad_signature: .*[Cc]heck the secret/,
    ],
    ['too_old', { body, headers: signed({ timestampSeconds: seconds(-3600) }) }, /400 too_old: .*3[56]\d\d.*clock/],
    ['too_new', { body, headers: signed({ timestampSeconds: seconds(3600) }) }, /400 too_new: .*3[56]\d\d.*clock/],
    ['too_large', { body, headers: signed() }, /413 too_large: .*maxBodyBytes/],
    ['method_not_allowed', { method: 'PUT', body, headers: signed() }, /405 method_not_allowed: .*POST/],
  ];

  it.each(REJECTED)('%s and what to do, with no word of secret, signature and body', async (reason, init, text) => {
    const { send, lines } = listening(reason === 'too_large' ? { maxBodyBytes: 10 } : {});
    expect(await send(init)).toBeLessThan(500);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatch(/^partner-sdk\/webhooks: /);
    expect(lines()[0]).toMatch(text);
    expect(lines()[0]).not.toContain('\n');
    for (const secret of [SECRET, signed()['X-Signature'].slice(-20), 'evt_1', 'q-1', 'zz']) {
      expect(lines()[0]).not.toContain(secret);
    }
  });

  it('that a kind is misspelt in on, but not that other kinds are not handled', async () => {
    const names = ['quote.execute', 'swap_failed', 'Transfer.complete', 'price_trigger_swap.executed', 'user.closed'];
    const { deliver, lines } = listening({
      onEvent: undefined,
      on: Object.fromEntries(names.map((name) => [name, vi.fn()])),
    });
    const of = (type: string) => ({ ...executed(type), type });
    for (const type of ['price_trigger_swap.cancelled', 'user.disabled', 'swap.completed', 'quote.created'])
      await deliver(of(type));
    expect(lines()).toEqual([]);
    for (const type of ['quote.executed', 'swap.failed', 'transfer.completed'])
      expect(await deliver(of(type))).toBe(200);
    expect(lines().map((line) => / as (.+)\?$/.exec(line)?.[1])).toEqual(names.slice(0, 3));
  });

  it('each reason once a minute, and how many more there were', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { send, lines } = listening();
    for (let index = 0; index < 1_000; index++) await send({ body });
    expect(lines()).toHaveLength(1);
    await send({ body, headers: { 'X-Signature': 'v1=00' } });
    expect(lines()).toHaveLength(2);
    vi.advanceTimersByTime(59_999);
    await send({ body });
    expect(lines()).toHaveLength(2);
    vi.advanceTimersByTime(1);
    for (let index = 0; index < 5; index++) await send({ body });
    expect(lines()).toHaveLength(3);
    expect(lines()[2]).toMatch(/1000 more .*missing_header/);
    vi.advanceTimersByTime(60_000);
    await send({ body });
    expect(lines()[3]).toMatch(/ 4 more /);
  });

  it('the same of each handler: another one has its own secret', async () => {
    for (let index = 0; index < 2; index++) {
      const { send, lines } = listening();
      await send({ body });
      expect(lines()).toHaveLength(index + 1);
    }
  });

  it('nothing of what was handled', async () => {
    const { deliver, lines } = listening();
    expect(await deliver(executed('evt_1'))).toBe(200);
    expect(lines()).toEqual([]);
  });
});

describe('without onError, console.error shows', () => {
  it("the error of the function with name, message, stack and causes, and the event's kind and id", async () => {
    class DatabaseError extends Error {
      override name = 'DatabaseError';
    }
    const error = new DatabaseError('no connection', { cause: new TypeError('ECONNREFUSED', { cause: 'no route' }) });
    const { deliver, lines } = listening({ onEvent: throwing(error) });
    expect(await deliver(executed('evt_1'))).toBe(500);
    expect(lines()).toHaveLength(1);
    const [line = ''] = lines();
    expect(line).toMatch(
      /^partner-sdk\/webhooks: the function that handles an event failed.*500.*quote\.executed evt_1/,
    );
    expect(line).toMatch(/DatabaseError: no connection\n\s+at .*reports\.alone\.test\.ts/);
    expect(line).toMatch(/caused by TypeError: ECONNREFUSED\n\s+at .*reports\.alone\.test\.ts/);
    expect(line).toMatch(/caused by no route$/);
  });

  it('a rejection like a throw, and what is no error as text', async () => {
    const { deliver, lines } = listening({ on: { 'quote.executed': () => Promise.reject('no database') } });
    expect(await deliver(executed('evt_1'))).toBe(500);
    expect(lines()[0]).toMatch(/no database$/);
  });

  it('text of the sender escaped, so that it writes no line of its own and moves no cursor', async () => {
    const evil = 'x\n2026-01-01 all is well\u001b[2K\u202e';
    const onEvent = ({ id }: { id?: string | undefined }) => {
      throw new Error(`unknown: ${id}`, { cause: `cause: ${id}` });
    };
    const { deliver, lines } = listening({ onEvent });
    await deliver({ id: evil, type: `deposit.${evil}`, data: {} });
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toContain('unknown: x\\u000a2026-01-01 all is well\\u001b[2K\\u202e');
    for (const line of (lines()[0] ?? '').split('\n')) {
      expect(line).toMatch(/^(partner-sdk|\s+at | {2}caused by |Error: unknown)/);
      for (const control of ['\u001b', '\u202e']) expect(line).not.toContain(control);
    }
  });

  it('a long message cut', async () => {
    const { deliver, lines } = listening({ onEvent: throwing(new Error('x'.repeat(100_000))) });
    await deliver(executed('evt_1'));
    expect(lines()[0]?.length).toBeLessThan(10_000);
  });

  it('what a guard does wrong', async () => {
    const { deliver, lines } = listening({ guard: { seen: () => 'OK' as never, forget: () => {} } });
    expect(await deliver(executed('evt_1'))).toBe(500);
    expect(lines()[0]).toMatch(/replay guard failed.*500(?:.|\n)*ConfigurationError: seen.*true.*false/);
  });

  it('that a guard failed after the event was handled, and got 200', async () => {
    const { deliver, lines } = listening({ guard: { seen: () => false, handled: throwing(new Error('no store')) } });
    expect(await deliver(executed('evt_1'))).toBe(200);
    expect(lines()[0]).toMatch(/replay guard failed, so a duplicate may be handled again(?:.|\n)*no store/);
    expect(lines()[0]).not.toContain('500');
  });

  it('that a response could not be sent, and not that it was a 500', async () => {
    const { lines } = listening();
    const receive = nodeWebhookHandler({ secret: SECRET, onEvent: () => {} });
    const writeHead = throwing(new Error('no head'));
    await receive(
      { method: 'POST', headers: signed(), rawBody: body },
      { headersSent: false, destroyed: false, writeHead, end: () => {} },
    );
    expect(lines()).toEqual([expect.stringMatching(/response could not be sent, so the service will(?:.|\n)*no head/)]);
    expect(lines()[0]).not.toContain('500');
  });

  it('ten failures of a kind a minute, and how many more there were', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let failures = 0;
    const { deliver, lines } = listening({
      onEvent: () => {
        failures++;
        throw new Error(`failure ${failures}`);
      },
    });
    for (let index = 0; index < 30; index++) await deliver(executed(`evt_${index}`));
    expect(lines().map((line) => /failure \d+/.exec(line)?.[0])).toEqual(
      Array.from({ length: 10 }, (_, index) => `failure ${index + 1}`),
    );
    vi.advanceTimersByTime(60_000);
    await deliver(executed('evt_30'));
    expect(lines()[10]).toMatch(/20 more .*(?:.|\n)*failure 31/);
  });

  it.each([
    [
      'an error whose message throws',
      Object.defineProperty(new Error(), 'message', { get: throwing(new Error('no')) }),
    ],
    ['an object without text', Object.create(null) as object],
    ['undefined', undefined],
  ])('that a delivery failed by %s', async (_, thrown) => {
    const { deliver, lines } = listening({ onEvent: throwing(thrown) });
    expect(await deliver(executed('evt_1'))).toBe(500);
    expect(lines()[0]).toMatch(/ 500 .*(cannot be shown|undefined)/);
  });
});

it('a console that throws changes no answer', async () => {
  const { send, deliver } = listening({ onEvent: throwing(new Error('no database')) });
  vi.spyOn(console, 'error').mockImplementation(throwing(new Error('no console')));
  expect([await send({ body }), await deliver(executed('evt_1'))]).toEqual([400, 500]);
});

it('with onError and onRejected nothing is written', async () => {
  const { options, errors, rejected } = recording({ onEvent: throwing(new Error('no database')) });
  const { send, deliver, lines } = listening(options);
  await send({ body });
  await deliver(executed('evt_1'));
  expect(lines()).toEqual([]);
  expect([errors, rejected]).toMatchObject([[{ message: 'no database' }], [{ reason: 'missing_header' }]]);
});
