// 100,000 requests against one packaged sandbox leave its memory as it was: run with --expose-gc.
import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createSandbox } from 'partner-sdk/sandbox';

const REQUESTS = 100_000;
const WARM_UP = 30_000;
const ALLOWED_MIB = 24;

const sandbox = createSandbox();
const { accountId, userId, methodId } = sandbox.fixtures;
const { apiKey, apiSecret } = sandbox.credentials;
const secret = Buffer.from(apiSecret, 'base64');
const account = `/v1/accounts/${accountId}`;

let nonce = 0;
function send(method, path, body, headers = {}) {
  nonce += 1;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const digest = createHash('sha256')
    .update(`${nonce}${text ?? ''}`)
    .digest();
  const signature = createHmac('sha512', secret).update(path).update(digest).digest('base64');
  const init = {
    method,
    headers: {
      'api-key': apiKey,
      'api-nonce': String(nonce),
      'api-sign': signature,
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  };
  return sandbox.fetch(new Request(`http://sandbox${path}`, init));
}

const quote = { from: { symbol: 'USD', type: 'fiat', amount: '1.00' }, to: { symbol: 'BTC', type: 'crypto' } };
const wallet = { via: 'bitcoin', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' };
const address = (key) => ({
  asset_symbol: 'BTC',
  method_id: methodId,
  key,
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
});

/** Reads and writes of every kind, among them what grows a real service: quotes, wallets, refusals, keys. */
const kinds = [
  () => send('GET', `/v1/users/${userId}`),
  () => send('GET', `${account}/on-demand-conversions?page_size=2`),
  () => send('POST', `${account}/quotes`, quote),
  () => send('GET', `${account}/portfolio/details`),
  () => send('POST', `${account}/wallets/whitelist`, wallet, { 'api-otp': '123456' }),
  () => send('POST', `${account}/funds/withdrawals/addresses`, address('cold-storage')),
  () => send('GET', `${account}/quotes/unknown`),
  () => send('POST', `${account}/quotes`, { from: quote.from, to: quote.from }),
];

async function heapAfter(requests) {
  for (let sent = 0; sent < requests; sent += 1) {
    const answer = await kinds[sent % kinds.length]();
    await answer.arrayBuffer();
  }
  global.gc();
  global.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const before = await heapAfter(WARM_UP);
const after = await heapAfter(REQUESTS - WARM_UP);
await sandbox.close();
console.log(`heap after ${WARM_UP} requests ${before.toFixed(1)} MiB, after ${REQUESTS} ${after.toFixed(1)} MiB`);
assert.ok(after - before < ALLOWED_MIB, 'the sandbox keeps what it should forget');
