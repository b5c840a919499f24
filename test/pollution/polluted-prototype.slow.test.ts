import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program, run } from '../support/processes/program.js';
import { rightAnswer } from '../support/service.js';
import type { Round } from './polluted-caller.js';

const caller = program('test/pollution/polluted-caller.ts');
const sources = fileURLToPath(new URL('../../src', import.meta.url));

/** Names that undici and Node look up on the objects that they are given, or that the language does. */
const OF_OTHERS = [
  ...['socketPath', 'lookup', 'localAddress', 'localPort', 'family', 'hints', 'signal', 'timeout', 'host', 'hostname'],
  ...['port', 'protocol', 'origin', 'query', 'upgrade', 'reset', 'expectContinue', 'throwOnError', 'blocking', 'agent'],
  ...['idempotent', 'headersTimeout', 'bodyTimeout', 'maxRedirections', 'interceptors', 'tls', 'connectTimeout'],
  ...['maxResponseSize', 'allowH2', 'useH2c', 'pipelining', 'factory', 'connections', 'autoSelectFamily', 'httpSocket'],
  ...['highWaterMark', 'noDelay', 'keepAlive', 'dispatcher', 'ca', 'cert', 'key', 'pfx', 'servername', 'session'],
  ...[
    'rejectUnauthorized',
    'checkServerIdentity',
    'secureContext',
    'ALPNProtocols',
    'toJSON',
    'method',
    'path',
    'body',
  ],
  ...['headers', 'url', 'when', 'skipChecks', 'abortEarly', 'direction'],
];

/** With one of these polluted, Node or undici fail by themselves, or the language does: nothing is sent. */
const BREAK_THE_PLATFORM = new Set(['connect', 'error', 'then', 'length', 'value', 'get', 'set']);

/** Every name that the sources declare as optional: options, parameters, members of bodies, and what objects of ours may lack. */
function optionalNames(): string[] {
  const names = new Set(OF_OTHERS);
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('sandbox')) continue;
    const code = readFileSync(`${sources}/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const [, name = ''] of code.matchAll(/\b(\w+)\?(?::|\()/g)) names.add(name);
  }
  return [...names].filter((name) => !BREAK_THE_PLATFORM.has(name));
}

/** What arrived in each round: method, path, body and headers but for those that differ from call to call. */
const arrived = new Map<string, string[]>();
const NEVER_THE_SAME = new Set(['api-nonce', 'api-sign', 'host', 'connection']);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [, round = '', ...rest] = (request.url ?? '').split('/');
    const { method = '' } = request;
    const path = `/${rest.join('/')}`;
    const body = Buffer.concat(chunks);
    const headers = Object.entries(request.headers).filter(([name]) => !NEVER_THE_SAME.has(name));
    const told = arrived.get(round) ?? [];
    arrived.set(round, told);
    told.push(JSON.stringify([method, path, headers, body.toString()]));
    const { status = 200, headers: answered, body: answer } = answerTo(method, path, body);
    response.writeHead(status, answered).end(answer);
  });
});

function answerTo(method: string, path: string, body: Buffer) {
  const echoes = { quote_symbol: 'USD', quote_type: 'fiat', page_size: 20, sort: 'name', sort_direction: 'asc' };
  if (!/\/(assets|details|things\b.*)$/.test(path)) return rightAnswer({ method, path, body });
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data: [], ...echoes }) };
}

let rounds: Round[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout } = await run(caller, [address, JSON.stringify(optionalNames())], { patience: 300_000 });
  rounds = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Round]));
}, 360_000);

afterAll(() => void server.close());

describe('a name on Object.prototype, put there after the package was imported', () => {
  it('changes nothing: neither what is sent, nor what is accepted, nor what comes of it', () => {
    const [clean, ...polluted] = rounds;
    expect(clean?.ends).toContain('ok');
    expect(clean?.ends).toContain('quote.executed');
    expect(polluted).toHaveLength(2 * optionalNames().length);
    const sent = arrived.get('clean');
    expect(sent?.length).toBeGreaterThan(8);
    const different = polluted.filter(({ label, ends }) => {
      return JSON.stringify(ends) !== JSON.stringify(clean?.ends) || arrived.get(label)?.join() !== sent?.join();
    });
    expect(different).toEqual([]);
  });
});
