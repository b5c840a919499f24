import { afterEach, describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/index.js';
import { startNginx } from '../support/nginx.js';
import { judge } from './judge.js';
import { Ledger } from './ledger.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** What each adds to the defaults of nginx, and the methods that it sends again. */
const PROXIES = [
  ['nginx with its defaults', '', ['DELETE', 'GET', 'PUT']],
  [
    'nginx that sends POST again, too',
    'proxy_next_upstream error timeout non_idempotent;',
    ['DELETE', 'GET', 'POST', 'PUT'],
  ],
  [
    'nginx that retries as Envoy does where Istio sets its defaults',
    'proxy_next_upstream error timeout http_503 non_idempotent;',
    ['DELETE', 'GET', 'POST', 'PUT'],
  ],
] as const;

const CALLERS: readonly [string, number, ClientOptions][] = [
  ['one call at a time', 1, {}],
  ['16 calls in parallel', 16, {}],
  ['one call at a time, with keyIsShared', 1, { keyIsShared: true }],
  ['16 calls in parallel, with keyIsShared', 16, { keyIsShared: true }],
];

describe.each(PROXIES)('behind %s', (_name, more, resent) => {
  it.each(CALLERS)(
    'no write is doubled, every outcome is true and reads succeed: %s',
    async (_callers, parallel, options) => {
      const ledger = await Ledger.start(2);
      closing.push(() => ledger.close());
      const edge = await startNginx(ledger.ports, more);
      closing.push(() => edge.stop());
      const rounds = parallel === 1 ? 2 : 10;
      const { wrong, copies } = await judge({
        baseUrl: edge.address('http').url,
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
