import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Edge } from '../../bench/edges/edge.js';
import type { ClientOptions } from '../../src/index.js';
import { Gateway } from '../chaos/edge/gateway.js';
import { judge } from './judge.js';
import { Ledger } from './ledger.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The defaults of nginx, but for `more`. It counts no failures: a server that broke a connection gets the next request, too. */
async function nginx(ledger: Ledger, more = ''): Promise<string> {
  const edge = await Edge.start('nginx', 0, {
    listens: ['http'],
    args: (file, folder) => ['-p', folder, '-c', file, '-e', 'stderr'],
    text: ({ ports }) => `
      daemon off; worker_processes 2; pid nginx.pid; error_log /dev/null;
      events { worker_connections 1024; }
      http {
        access_log off;
        upstream service { ${ledger.ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')} }
        server { listen 127.0.0.1:${ports.http}; location / { proxy_pass http://service; ${more} } }
      }`,
  });
  closing.push(() => edge.stop());
  return edge.address('http').url;
}

/** Sends every request again after a 503 and after a reset, up to twice, as Envoy does with the retries that Istio sets by default. */
async function envoyLike(ledger: Ledger): Promise<string> {
  const gateway = new Gateway(ledger.ports[0] ?? 0, { swaps: false, resends: 2 });
  const server = createServer((request, response) => gateway.forward(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    gateway.close();
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** With the methods that each sends again. */
const PROXIES = [
  ['nginx with its defaults', (ledger: Ledger) => nginx(ledger), ['DELETE', 'GET', 'PUT']],
  [
    'nginx that sends POST again, too',
    (ledger: Ledger) => nginx(ledger, 'proxy_next_upstream error timeout non_idempotent;'),
    ['DELETE', 'GET', 'POST', 'PUT'],
  ],
  ['a proxy that retries as Envoy does', envoyLike, ['DELETE', 'GET', 'POST', 'PUT']],
] as const;

const CALLERS: readonly [string, number, ClientOptions][] = [
  ['one call at a time', 1, {}],
  ['16 calls in parallel', 16, {}],
  ['one call at a time, with keyIsShared', 1, { keyIsShared: true }],
  ['16 calls in parallel, with keyIsShared', 16, { keyIsShared: true }],
];

describe.each(PROXIES)('behind %s', (_name, start, resent) => {
  it.each(CALLERS)(
    'no write is doubled, every outcome is true and reads succeed: %s',
    async (_callers, parallel, options) => {
      const ledger = await Ledger.start(2);
      closing.push(() => ledger.close());
      const rounds = parallel === 1 ? 2 : 10;
      const { wrong, copies } = await judge({
        baseUrl: await start(ledger),
        ledger: ledger.url,
        options,
        parallel,
        rounds,
      });
      expect(wrong).toEqual({});
      expect(Object.keys(copies).sort()).toEqual(resent);
    },
  );
});
