// What the installed package must do on every runtime and in every bundle, with default options. It uses nothing of
// Node: workers run it, too. The service is in another process.
import { ConnectionError, Decimal, idempotencyKeyFor, isApiError, NotFoundError, PartnerClient } from 'partner-sdk';
import { verifyWebhook, WebhookVerificationError, webhookHandler } from 'partner-sdk/webhooks';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const WANTED = { from: { symbol: 'USD', type: 'fiat', amount: '25.00' }, to: { symbol: 'BTC', type: 'crypto' } };

/**
 * Throws if one of its checks fails. `options` are those of the client, `transport` is the one that it must choose,
 * `delivery` a webhook that was signed elsewhere.
 */
export async function accept({ options, fixtures: { userId, accountId }, transport, delivery }) {
  const client = new PartnerClient(options);
  const { quotes, onDemandConversions } = client.accounts;

  const user = await client.users.get(userId);
  expect(user.id === userId, 'a signed read');
  expect(client.stats().lanes[0].transport === transport, `the transport is ${transport}`);

  let walked = 0;
  for await (const conversion of onDemandConversions.list(accountId, { page_size: 25 })) {
    expect(conversion.rate.price instanceof Decimal && conversion.rate.price.isPositive(), 'an exact price');
    walked += 1;
  }
  expect(walked > 25, 'the list was walked beyond its first page');

  const missing = await failureOf(client.users.get('no-such-user-here'));
  expect(missing instanceof NotFoundError && isApiError(missing, 'user_not_found'), 'a typed error');
  expect(missing.outcome === 'not_applied', 'an error that tells its outcome');

  const idempotencyKey = idempotencyKeyFor('acceptance', 'accounts.quotes.create', accountId, crypto.randomUUID());
  const create = () => quotes.create(accountId, WANTED, { idempotencyKey }).withResponse();
  const first = await create();
  const second = await create();
  expect(UUID_V4.test(idempotencyKey) && first.response.idempotencyKey === idempotencyKey, 'a key of ours');
  expect(first.data.id === second.data.id && second.response.replayed, 'a write that is not done twice');
  expect(first.data.from.amount.equals('25'), 'an exact amount');
  const waited = await quotes.waitFor(accountId, first.data.id, { until: 'offered', timeout: 60_000 });
  expect(waited.id === first.data.id, 'a wait');

  const calls = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0 ? client.users.get(userId) : quotes.create(accountId, WANTED),
  );
  expect(new Set((await Promise.all(calls)).map(({ id }) => id)).size === 26, 'one user, and 25 quotes in parallel');

  await checkWebhooks(delivery);
  await checkUnreachable(options);
  await client.close();
}

/** Nothing listens at the port: the write must not be taken for applied. */
async function checkUnreachable(options) {
  const client = new PartnerClient({ ...options, baseUrl: 'http://127.0.0.1:1', maxRetries: 0, timeout: 30_000 });
  const error = await failureOf(client.accounts.quotes.create('no-such-account', WANTED));
  expect(error instanceof ConnectionError, `no connection: ${error}`);
  expect(error.outcome !== 'applied', 'a write that did not arrive');
  await client.close();
}

async function checkWebhooks({ secret, body, headers }) {
  const event = verifyWebhook({ secret, body, headers });
  expect(event.id === JSON.parse(body).id, 'a verified webhook');
  const changed = body.replace('evt_', 'evt-');
  const refused = await failureOf(Promise.resolve().then(() => verifyWebhook({ secret, body: changed, headers })));
  expect(refused instanceof WebhookVerificationError && refused.reason === 'bad_signature', 'a forged webhook');

  const handled = [];
  const handle = webhookHandler({ secret, on: { 'quote.executed': ({ id }) => handled.push(id) } });
  const deliver = (text) => handle(new Request('http://localhost/webhooks', { method: 'POST', headers, body: text }));
  const statuses = [await deliver(body), await deliver(body), await deliver(changed)].map(({ status }) => status);
  expect(statuses[0] < 300 && statuses[1] < 300 && statuses[2] === 400, `answers to webhooks: ${statuses}`);
  expect(handled.length === 1, 'a webhook that is handled once');
}

async function failureOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

function expect(holds, what) {
  if (!holds) throw new Error(`not so: ${what}`);
}
