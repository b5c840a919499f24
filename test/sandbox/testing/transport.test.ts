import { describe, expect, test } from 'vitest';
import { ConnectionError, PartnerClient, TimeoutError } from '../../../src/index.js';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.js';

type ClientOptions = NonNullable<ConstructorParameters<typeof PartnerClient>[0]>;

/** A sandbox and a client over its transport. */
function pair(options: ClientOptions & { sandbox?: SandboxOptions } = {}) {
  const { sandbox: own, ...given } = options;
  const sandbox = createSandbox({ seed: 1, ...own });
  const client = new PartnerClient({
    baseUrl: 'https://api.test',
    ...sandbox.credentials,
    transport: sandbox.transport(),
    ...given,
  });
  const { userId, accountId, quoteId } = sandbox.fixtures;
  const read = () => client.users.get(userId);
  return { sandbox, client, userId, accountId, quoteId, read };
}

const limitOrder = {
  from: { symbol: 'USD', type: 'fiat', amount: '25' },
  to: { symbol: 'BTC', type: 'crypto' },
} as const;

describe('a client over sandbox.transport()', () => {
  test('reads, writes and lists as over HTTP, and the journal has each request', async () => {
    const { sandbox, client, accountId } = pair();
    const quote = await client.accounts.quotes.create(accountId, limitOrder);
    expect((await client.accounts.quotes.get(accountId, quote.id)).id).toBe(quote.id);
    const all = await client.accounts.onDemandConversions.list(accountId, { page_size: 2 }).toArray({ limit: 5 });
    expect(all.length).toBeGreaterThan(2);
    expect(sandbox.journal.slice(0, 2).map(({ operation, status }) => [operation, status])).toEqual([
      ['accounts.quotes.create', 200],
      ['accounts.quotes.get', 200],
    ]);
    expect(sandbox.journal[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('keeps hundreds of calls in order without a gap: none is refused', async () => {
    const { sandbox, client, accountId, read } = pair();
    const write = () => client.accounts.quotes.create(accountId, limitOrder);
    await Promise.all(Array.from({ length: 300 }, (_, place) => (place % 3 === 0 ? write() : read())));
    expect(sandbox.journal.map(({ status }) => status)).toEqual(Array(300).fill(200));
    expect(client.stats().lanes[0]).toMatchObject({ way: 'memory', gap: 0, races: 0, transport: 'sandbox' });
  });

  test('shares the lane of its API key with other clients of the sandbox', async () => {
    const { sandbox, client, userId, read } = pair();
    const other = new PartnerClient({
      baseUrl: 'https://api.test',
      ...sandbox.credentials,
      transport: sandbox.transport(),
    });
    await Promise.all(Array.from({ length: 100 }, (_, place) => (place % 2 ? read() : other.users.get(userId))));
    expect(sandbox.journal.every(({ status }) => status === 200)).toBe(true);
    await Promise.all([client.close(), other.close()]);
  });

  test.each([
    ['reset', 503],
    ['truncate', 503],
    ['html', 'garbage'],
    ['empty', 'reset'],
  ] as const)('retries a read over the faults %s and %s', async (first, second) => {
    const { sandbox, client, read } = pair();
    sandbox.fail({ fault: first, times: 1 });
    sandbox.fail({ fault: second, times: 1 });
    const { response } = await client.users.get(sandbox.fixtures.userId).withResponse();
    expect(response.attempts).toBe(3);
    expect((await read()).id).toBe(sandbox.fixtures.userId);
  });

  test('tells of a write whose answer was lost that it may have happened', async () => {
    const { sandbox, client, accountId, quoteId } = pair({ maxRetries: 0 });
    sandbox.fail({ fault: 'reset', when: 'after', times: 1 });
    await expect(client.accounts.quotes.execute(accountId, quoteId)).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
    expect((await client.accounts.quotes.get(accountId, quoteId)).status).toBe('executing');
  });

  test('gives a slow body byte by byte, and waits for a latency', async () => {
    const { sandbox, client, userId } = pair({ sandbox: { troubles: [{ does: { delayMs: 20 } }] } });
    sandbox.fail({ fault: 'slow', bytesPerSecond: 20_000, times: 1 });
    const begun = performance.now();
    expect((await client.users.get(userId)).id).toBe(userId);
    expect(performance.now() - begun).toBeGreaterThan(20);
  });

  test('answers 413 to a body above 1 MiB', async () => {
    const { client } = pair();
    const body = { text: 'x'.repeat(1024 * 1024) };
    await expect(client.request({ method: 'POST', path: '/v1/users', body })).rejects.toMatchObject({
      response: { status: 413 },
    });
  });

  test('a service that does not answer ends by attemptTimeout, and an abort ends a call at once', async () => {
    const { sandbox, client, userId } = pair({ maxRetries: 0 });
    sandbox.fail({ fault: 'timeout', times: 2 });
    await expect(client.users.get(userId, { attemptTimeout: 20 })).rejects.toBeInstanceOf(TimeoutError);
    const gone = new AbortController();
    const call = client.users.get(userId, { signal: gone.signal });
    setTimeout(() => gone.abort(new Error('leaving')), 10);
    await expect(call).rejects.toMatchObject({ name: 'AbortedError' });
    expect(client.stats().lanes[0]?.inFlight).toBe(0);
    expect((await client.users.get(userId)).id).toBe(userId);
  });
});

describe('close of the sandbox', () => {
  test('ends calls that wait, and later ones find no service: nothing was sent', async () => {
    const { sandbox, client, accountId, quoteId, read } = pair({ maxRetries: 0 });
    sandbox.fail({ fault: 'timeout' });
    const waiting = read();
    const told = expect(waiting).rejects.toBeInstanceOf(ConnectionError);
    await expect.poll(() => sandbox.journal.length).toBe(1);
    await sandbox.close();
    await told;
    await expect(client.accounts.quotes.execute(accountId, quoteId)).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'not_applied',
    });
    await client.close();
  });
});
