// What every supported runtime must do with the installed package and default options; the service is in another process.
import assert from 'node:assert/strict';
import process from 'node:process';
import { Decimal, isApiError, NotFoundError, PartnerClient } from 'partner-sdk';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const { userId, accountId } = JSON.parse(process.env.CONSUMER_FIXTURES);
const wanted = { from: { symbol: 'USD', type: 'fiat', amount: '25.00' }, to: { symbol: 'BTC', type: 'crypto' } };

// Address and credentials come from the environment.
const client = new PartnerClient();

const user = await client.users.get(userId);
assert.equal(user.id, userId);

const { data: quote, response } = await client.accounts.quotes.create(accountId, wanted).withResponse();
assert.match(response.idempotencyKey, UUID_V4);
assert.ok(quote.rate.price instanceof Decimal);
assert.ok(quote.from.amount.equals('25'));
const waited = await client.accounts.quotes.waitFor(accountId, quote.id, { until: 'offered', timeout: 10_000 });
assert.equal(waited.id, quote.id);

let walked = 0;
for await (const conversion of client.accounts.onDemandConversions.list(accountId, { page_size: 25 })) {
  assert.ok(conversion.rate.price.isPositive());
  walked += 1;
}
assert.ok(walked > 25, 'the list was not walked beyond its first page');

const parallel = await Promise.all(
  Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0 ? client.users.get(userId) : client.accounts.quotes.create(accountId, wanted),
  ),
);
assert.equal(new Set(parallel.map(({ id }) => id)).size, 26, 'one user, and 25 quotes');

await assert.rejects(client.users.get('no-such-user-here'), (error) => {
  assert.ok(error instanceof NotFoundError);
  assert.ok(isApiError(error, 'user_not_found'));
  assert.equal(error.outcome, 'not_applied');
  return true;
});

await client.close();
console.log(`closed at ${Date.now()}`);
