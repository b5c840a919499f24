import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// A transport adds the names that its code reads.
import '../../src/index.js';
import { pollution } from '../../src/pollution.js';
import { program, run } from '../support/processes/program.js';
import { json, refuse, rightAnswer } from '../support/service.js';
import { certificateFile, LOCAL } from '../support/tls.js';

const PATIENCE_MS = 900_000;

/** How long in ms an answer takes during which something is polluted. */
const ANSWER_MS = 12;

const require = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const sources = require('src');

/** Optional members as TypeScript declares them, with their file. */
function optionalIn(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return Array.from(code.matchAll(/\b(\w+)\?(?::|\()/g), ([, name = '']) => name);
}

/** Every name that the sources declare as optional: options, parameters, members of bodies and answers. */
function namesOfOurs(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  const ours = files.filter((file) => file.endsWith('.ts') && !/^(sandbox|inspector)/.test(file));
  return [...new Set(ours.flatMap((file) => optionalIn(`${sources}/${file}`)))];
}

/** Options of sockets, TLS, HTTP/2 and undici, by their declarations. */
function declaredOptions(): string[] {
  const ofNode = ['tls', 'net', 'http2'].map((name) => require(`node_modules/@types/node/${name}.d.ts`));
  const ofUndici = ['client', 'dispatcher', 'connector'].map((name) =>
    require(`node_modules/undici/types/${name}.d.ts`),
  );
  const members = (file: string) => [...readFileSync(file, 'utf8').matchAll(/^\s+(?:readonly )?(\w+)\?:/gm)];
  return [...ofNode, ...ofUndici].flatMap(members).map(([, name = '']) => name);
}

/** True if a process is refused whose `Object.prototype` has this name, though it cannot be enumerated. */
function isRefused(name: string): boolean {
  if (name in Object.prototype) return true;
  Object.defineProperty(Object.prototype, name, Object.assign(Object.create(null), { configurable: true, value: 1 }));
  try {
    return pollution().length > 0;
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

/** What arrived in each round: method, path, body and headers but for those that differ from call to call. */
const arrived = new Map<string, string[]>();
const NEVER_THE_SAME = new Set(['api-nonce', 'api-sign', 'host', 'connection', ':authority']);

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

function serve(request: Incoming, response: Outgoing): void {
  const chunks: Buffer[] = [];
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [, round = '', ...rest] = (request.url ?? '').split('/');
    const label = decodeURIComponent(round);
    const path = `/${rest.join('/')}`;
    const body = Buffer.concat(chunks);
    const { method = '' } = request;
    const headers = Object.entries(request.headers).filter(([name]) => !NEVER_THE_SAME.has(name));
    arrived.set(label, [...(arrived.get(label) ?? []), JSON.stringify([method, path, headers, body.toString()])]);
    if (label.includes(' sent ')) setTimeout(() => answer(method, path, body, request, response), ANSWER_MS);
    else answer(method, path, body, request, response);
  });
}

function answer(method: string, path: string, body: Buffer, request: Incoming, response: Outgoing): void {
  if (path === '/v1/reset') {
    if ('stream' in response) response.stream.close(2);
    else request.socket.resetAndDestroy();
    return;
  }
  const { status = 200, headers, body: text } = answerTo(method, path, body);
  (response as ServerResponse).writeHead(status, headers).end(text);
}

function answerTo(method: string, path: string, body: Buffer) {
  const echoes = { quote_symbol: 'USD', quote_type: 'fiat', page_size: 20, sort: 'name', sort_direction: 'asc' };
  if (path === '/v1/refused') return refuse(400, 'bad_request');
  // A gateway's: it may come behind the effect.
  if (path === '/v1/failed') return { status: 501, body: 'no' };
  if (/\/(assets|details|things\b.*)$/.test(path)) return json(200, { data: [], ...echoes });
  return rightAnswer({ method, path, body });
}

const http = createServer(serve);
const https = createSecureServer({ ...LOCAL, allowHTTP1: true }, serve);
https.on('sessionError', () => {});
const addresses: string[] = [];

beforeAll(async () => {
  for (const [scheme, server] of [['http', http] as const, ['https', https] as const]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    addresses.push(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
});

afterAll(() => {
  http.close();
  https.close();
});

interface Round {
  readonly label: string;
  readonly half?: readonly string[];
  readonly counts?: { readonly refused: number; readonly right: number; readonly half: number };
}

/** Members of the schema of the experiment. */
const OF_THE_EXPERIMENT = ['naming', 'listing'];

/** With these, the language itself takes no list apart, and no promise comes to its end. */
const OF_THE_LANGUAGE = ['return', 'then'];

describe('a name that others have put on Object.prototype', () => {
  it('is refused if zod, undici or Node look it up, as an experiment shows', { timeout: PATIENCE_MS }, async () => {
    const [plain = '', secure = ''] = addresses;
    const secret = Buffer.from('secret').toString('base64');
    const { stdout } = await run(
      program('test/pollution/names-read.ts'),
      [plain, secure, secure, LOCAL.cert, 'key', secret],
      {
        node: ['--no-deprecation'],
        env: { NODE_EXTRA_CA_CERTS: certificateFile(LOCAL.cert) },
        patience: PATIENCE_MS,
      },
    );
    const { candidates, found } = JSON.parse(stdout) as { candidates: number; found: Record<string, string[]> };
    expect(candidates).toBeGreaterThan(10_000);
    const names = Object.entries(found).filter(([, readers]) =>
      readers.some((file) => file !== '' && !file.includes('tests-')),
    );
    const read = names.map(([name]) => name).filter((name) => !name.startsWith('Symbol('));
    expect(read).toEqual(expect.arrayContaining(['skipChecks', 'when', 'highWaterMark', 'servername']));
    expect(read.filter((name) => !isRefused(name) && !OF_THE_EXPERIMENT.includes(name))).toEqual([]);
  });

  it('is refused if Node or undici declare it as an option, or the language reads it', () => {
    const ofTheLanguage = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'then', 'toJSON', 'return'];
    const names = [...declaredOptions(), ...ofTheLanguage, 'rejectUnauthorized', 'checkServerIdentity', 'catchall'];
    expect(names).toEqual(expect.arrayContaining(['socketPath', 'lookup', 'ALPNProtocols', 'headersTimeout']));
    expect(names.filter((name) => !isRefused(name))).toEqual([]);
    expect(['should', 'idempotencyKey', 'next_page_token'].filter(isRefused)).toEqual([]);
  });

  it('never has half an effect: the process is refused, or all is right', { timeout: PATIENCE_MS }, async () => {
    const names = namesOfOurs().filter((name) => !isRefused(name));
    const others = ['get', 'data', 'code', 'status', 'skipChecks', 'when', 'catchall', 'socketPath', 'signal', 'error'];
    const [plain = '', secure = ''] = addresses;
    const all = [...names, ...others].filter((name) => !OF_THE_LANGUAGE.includes(name));
    const args = [plain, secure, LOCAL.cert, JSON.stringify(all)];
    const { stdout } = await run(program('test/pollution/polluted-caller.ts'), args, { patience: PATIENCE_MS });
    const rounds = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Round]));
    expect(rounds.filter(({ half }) => half !== undefined)).toEqual([]);
    const counts = rounds.at(-1)?.counts;
    expect(counts?.half).toBe(0);
    expect(counts?.right).toBeGreaterThan(all.length);
    expect(counts?.refused).toBeGreaterThan(all.length);
    // Nothing is sent in a round that is refused; in any other round, all that a clean process sends.
    for (const moment of ['new', 'call']) {
      const clean = arrived.get(`clean ${moment} `)?.join('\n');
      expect(clean?.length).toBeGreaterThan(1_000);
      const others = [...arrived].filter(([label]) => label.endsWith(` ${moment} `));
      expect(others.filter(([, sent]) => sent.join('\n') !== clean).map(([label]) => label)).toEqual([]);
    }
  });
});
