import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '../../../src/resources/operations.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

const partner = directSandbox({ journalLimit: 10 });
const { sandbox } = partner;

async function statusOf(method: string, path: string, body?: unknown): Promise<number> {
  const { headers, bytes } = partner.signed({ method, path, body, headers: { 'API-Otp': '1' } });
  const init = { method, headers, ...(bytes && method !== 'GET' ? { body: bytes } : {}) };
  const request = new Request(partner.url + path, init);
  // What the service received is what was signed, however the URL was normalised on the way.
  const { pathname, search } = new URL(request.url);
  if (pathname + search !== path) return statusOf(method, pathname + search, body);
  const { status } = await sandbox.fetch(request);
  return status;
}

/** Paths whose parameters are real, odd or random. */
const pathOf = (template: string) => {
  const known = new Map<string, string[]>([
    ['account_id', [sandbox.fixtures.accountId]],
    ['user_id', [sandbox.fixtures.userId, sandbox.fixtures.spacedUserId]],
    ['quote_id', [sandbox.fixtures.quoteId]],
    ['asset_symbol', ['BTC', '__proto__', 'constructor']],
  ]);
  const segments = template.split('/').map((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) return fc.constant(segment);
    const real = { weight: 4, arbitrary: fc.constantFrom(...(known.get(name) ?? ['x'])) };
    return fc.oneof(real, fc.string({ unit: 'grapheme', minLength: 1 })).map(encodeURIComponent);
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
};

const words = ['from', 'to', 'symbol', 'type', 'amount', 'wallet', 'fee', 'bps', 'via', 'key', '__proto__', 'toString'];
const zeros = '0'.repeat(3000);
const values = ['USD', 'BTC', 'fiat', 'crypto', '1', '-0', '0.0', '9'.repeat(3000), `0.${zeros}1`, '', 'xrp'];
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    fc.constantFrom(...values),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 5 }),
  ),
})).value;
const side = (symbol: string, type: string) =>
  fc.record(
    { symbol: fc.constant(symbol), type: fc.constant(type), amount: fc.constantFrom(...values) },
    { requiredKeys: ['symbol', 'type'] },
  );
const swap = fc.record(
  { from: side('USD', 'fiat'), to: side('SHIB', 'crypto'), fee: fc.record({ bps: fc.double() }) },
  { requiredKeys: ['from', 'to'] },
);

test.each(operations)('$title never fails over its input', async (operation) => {
  const body =
    operation.body === undefined ? fc.constant(undefined) : fc.oneof(json, swap, fc.constant(bodies.onchainQuote));
  const query = fc.oneof(
    fc.constant(''),
    fc.webQueryParameters(),
    fc.constantFrom('page_token=AAAAAAAAAAAAAAAAAAAAAAAA', '%', '=', '&&=&', '__proto__=1'),
  );
  const property = fc.asyncProperty(pathOf(operation.path), query, body, async (path, text, content) => {
    const status = await statusOf(operation.method, text === '' ? path : `${path}?${text}`, content);
    expect([200, 400, 403, 404, 409, 410]).toContain(status);
  });
  await fc.assert(property, { numRuns: 60 });
});

test.each<[string, string]>([
  ['deeply nested', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
  ['of very many members', `{${Array.from({ length: 60_000 }, (_, index) => `"m${index}":1`).join(',')}}`],
  ['with an amount of a million digits', JSON.stringify(bodies.quote).replace('100.00', '9'.repeat(1_000_000))],
])('a body %s is judged in little time', async (_, body) => {
  const start = performance.now();
  expect([200, 400]).toContain(await statusOf('POST', `${partner.account}/quotes`, body));
  expect(performance.now() - start).toBeLessThan(5_000);
});
