// The application's tests. MSW passes every request to a sandbox in this process, so they need no
// port, no network and no mocked responses.
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { fetchTransport, PartnerClient } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { convert, settled } from './convert.js';

const sandbox = createSandbox({ realTime: true });
const server = setupServer(http.all('https://partner.invalid/*', ({ request }) => sandbox.fetch(request)));

// MSW intercepts fetch, so the client must send with fetch.
const client = new PartnerClient({
  baseUrl: 'https://partner.invalid',
  ...sandbox.credentials,
  transport: fetchTransport(),
});
const { accountId } = sandbox.fixtures;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => sandbox.troubles.clear());
afterAll(async () => {
  await client.close();
  server.close();
  await sandbox.close();
});

async function bitcoin(): Promise<string | undefined> {
  const { items } = await client.accounts.portfolio.details(accountId);
  return items.find(({ symbol }) => symbol === 'BTC')?.total.toFixed();
}

test('a conversion arrives in the portfolio', async () => {
  const before = await bitcoin();
  const conversion = await convert(client, accountId, '100.00');
  expect(conversion).toEqual({ state: 'done', received: expect.stringMatching(/^0\.\d+ BTC$/) });
  expect(await bitcoin()).not.toBe(before);
});

test('a short outage goes unnoticed', async () => {
  sandbox.fail({ operation: 'accounts.quotes.create', fault: 503, times: 2 });
  expect(await convert(client, accountId, '100.00')).toMatchObject({ state: 'done' });
  const calls = sandbox.journal.filter(({ operation }) => operation === 'accounts.quotes.create').slice(-3);
  expect(calls.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
});

test('more than the account has ends without a conversion', async () => {
  const before = await bitcoin();
  const conversion = await convert(client, accountId, '999999999.00');
  expect(conversion).toEqual({ state: 'not done', why: 'the quote is failed' });
  expect(await bitcoin()).toBe(before);
});

test('a response that is lost again and again is reported as unknown, but the conversion took place', async () => {
  const before = await bitcoin();
  sandbox.fail({ operation: 'accounts.quotes.execute', fault: 'reset', when: 'after', times: 'always' });
  const conversion = await convert(client, accountId, '100.00');
  if (conversion.state !== 'unknown') throw new Error(`it is ${conversion.state}`);
  expect(await settled(client, accountId, conversion.quoteId)).toMatchObject({ state: 'done' });
  expect(await bitcoin()).not.toBe(before);
});

test('a look at the quote that fails is followed by another', async () => {
  sandbox.fail({ operation: 'accounts.quotes.get', fault: 500 });
  expect(await convert(client, accountId, '100.00')).toMatchObject({ state: 'done' });
});

test('a look at the quote that is rejected does not make the conversion undone', async () => {
  sandbox.fail({ operation: 'accounts.quotes.get', fault: 403 });
  expect(await convert(client, accountId, '100.00')).toMatchObject({ state: 'unknown' });
});
