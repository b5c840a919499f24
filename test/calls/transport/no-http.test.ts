import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionError, fetchTransport, PartnerClient } from '../../../src/index.js';
import { ACCOUNT, type ClientOptions, failure } from '../../support/scene.js';

const API_SECRET = Buffer.from('the secret that nothing may show').toString('base64');
const OTP = 'otp-918273';
const ADDRESS = 'bc1q-private-address';

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** A peer that answers every request with something that is no HTTP and holds the request. */
async function startEcho(answer: (request: string) => string): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const echo = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received.push(bytes.toString('latin1'));
      socket.end(answer(bytes.toString('latin1')));
    });
  });
  server = echo;
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(echo.address() as AddressInfo).port}`, received };
}

/** Every way in which an error may come to be seen. */
function shown(error: unknown): string {
  const options = { depth: 10, maxStringLength: null, maxArrayLength: null, breakLength: Infinity };
  return [inspect(error, { ...options, showHidden: true }), inspect(error, options), JSON.stringify(error)].join('\n');
}

const ways: readonly (readonly [string, ClientOptions])[] = [
  ['a pool', {}],
  ['unordered', { nonceOrder: 'unordered' }],
  ['fetch', { transport: fetchTransport() }],
];
const answers: readonly (readonly [string, (request: string) => string])[] = [
  ['the request alone', (request) => request],
  ['the request after some garbage', (request) => `garbage ${request}`],
  ['a broken header that repeats the request', (request) => `HTTP/1.1 200 OK\r\n${request}`],
  [
    'a broken chunk that repeats the request',
    (request) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${request}`,
  ],
];

describe.each(ways)('a peer that speaks no HTTP and repeats what it hears, through %s', (_way, options) => {
  it.each(answers)('%s: neither error nor log shows signature, secret or OTP', async (_, answer) => {
    const { url, received } = await startEcho(answer);
    const lines: unknown[][] = [];
    const line = (...parts: unknown[]) => void lines.push(parts);
    const client = new PartnerClient({
      baseUrl: url,
      apiKey: 'key',
      apiSecret: API_SECRET,
      maxRetries: 1,
      logger: { debug: line, info: line, warn: line, error: line },
      ...options,
    });
    const error = await failure(
      client.accounts.wallets.whitelist(ACCOUNT, { via: 'bitcoin', address: ADDRESS }, { otp: OTP }),
    );
    await client.close();
    const signatures = received.flatMap((text) => /^api-sign: (\S+)/im.exec(text)?.[1] ?? []);
    expect(signatures).not.toEqual([]);
    const text = shown(error) + inspect(lines, { depth: 10, showHidden: true, maxStringLength: null });
    expect(lines).not.toEqual([]);
    for (const secret of [API_SECRET, OTP, ADDRESS, ...signatures]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    }
    expect(error.idempotencyKey).toEqual(expect.any(String));
    if (!(error instanceof ConnectionError)) {
      // A head had arrived: then the answer is cut, and the outcome says so.
      expect(error.outcome).toBe('applied');
      return;
    }
    expect(error.cause).toBeInstanceOf(Error);
    expect((error.cause as Error).message).not.toBe('');
  });

  it('nothing at all: the cause keeps its code and shows nothing either', async () => {
    const { url, received } = await startEcho(() => '');
    const client = new PartnerClient({ baseUrl: url, apiKey: 'key', apiSecret: API_SECRET, maxRetries: 0, ...options });
    const error = await failure(client.users.get('USER-0000-0000-0001', { otp: OTP }));
    await client.close();
    expect(received).toHaveLength(1);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.attempts.failures).toEqual([{ reason: 'lost', status: undefined, code: 'UND_ERR_SOCKET' }]);
    expect(inspect(error.cause, { depth: 10, showHidden: true })).toContain('UND_ERR_SOCKET');
    expect(shown(error)).not.toContain(OTP);
  });
});
