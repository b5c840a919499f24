import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as sdk from 'partner-sdk';
import { createSandbox, createTestClient } from 'partner-sdk/sandbox';
import * as webhooks from 'partner-sdk/webhooks';

const require = createRequire(import.meta.url);
assert.equal(require('partner-sdk').PartnerClient, sdk.PartnerClient, 'both forms of modules share one copy');

// A bundle has a copy of its own.
const inBundle = (name) => import(new URL(`node_modules/partner-sdk/dist/${name}.js`, import.meta.url));
const other = { sdk: await inBundle('module'), webhooks: await inBundle('module-webhooks') };
assert.notEqual(sdk.PartnerClient, other.sdk.PartnerClient, 'two copies are loaded, that is what is tried here');
assert.match(require('partner-sdk/package.json').version, /^\d+\.\d+\.\d+/);

// The names that logs show.
assert.equal(sdk.PartnerClient.name, 'PartnerClient');
assert.equal(sdk.PartnerError.name, 'PartnerError');
assert.equal(sdk.ConflictError.name, 'ConflictError');

const sandbox = createSandbox({ seed: 1 });
const { url } = await sandbox.listen({ port: 0 });
const options = { baseUrl: url, ...sandbox.credentials };
const { userId } = sandbox.fixtures;

// Both copies at once on one API key: their nonces must rise and arrive together.
const client = new sdk.PartnerClient(options);
const otherClient = new other.sdk.PartnerClient(options);
const users = await Promise.all(
  Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? client : otherClient).users.get(userId)),
);
for (const user of users) assert.equal(user.id, userId);

// An error of one copy is an error of the other.
const error = await client.users.get('no-such-user-here').catch((reason) => reason);
assert.ok(error instanceof sdk.NotFoundError);
assert.ok(error instanceof other.sdk.NotFoundError);
assert.ok(error instanceof other.sdk.PartnerError);
assert.ok(other.sdk.isApiError(error, 'user_not_found'));
assert.ok(!(error instanceof other.sdk.ConflictError));
const otherError = await otherClient.users.get('no-such-user-here').catch((reason) => reason);
assert.ok(otherError instanceof sdk.NotFoundError);

// A transport of one copy is a transport for the other.
const lent = new sdk.PartnerClient({ ...options, transport: other.sdk.undiciTransport() });
assert.equal((await lent.users.get(userId)).id, userId);
await lent.close();

// A value of one copy is a value for the other.
const wanted = {
  from: { symbol: 'USD', type: 'fiat', amount: new other.sdk.Decimal('25.00') },
  to: { symbol: 'BTC', type: 'crypto' },
};
const quote = await client.accounts.quotes.create(sandbox.fixtures.accountId, wanted);
assert.ok(quote.from.amount.equals('25'));

assert.equal(webhooks.WebhookVerificationError, sdk.WebhookVerificationError);
const secret = Buffer.from('a signing secret').toString('base64');
const body = JSON.stringify({ id: 'evt_1', type: 'quote.executed', data: { id: quote.id } });
const headers = webhooks.signWebhook({ body, secret });
assert.equal(other.webhooks.verifyWebhook({ body, headers, secret }).data.id, quote.id);
assert.throws(() => webhooks.verifyWebhook({ body: `${body} `, headers, secret }), other.sdk.WebhookVerificationError);

// A handler of one copy reads what the other has signed, and hears of the other's errors as its own.
const reasons = [];
const receive = other.webhooks.webhookHandler({
  secret,
  on: { 'quote.executed': ({ data }) => assert.equal(data.id, quote.id) },
  onRejected: ({ reason }) => reasons.push(reason),
});
const deliver = async (text) => (await receive(new Request(url, { method: 'POST', body: text, headers }))).status;
assert.equal(await deliver(body), 200);
assert.equal(await deliver(`${body} `), 400);
assert.deepEqual(reasons, ['bad_signature']);

// The client of a test is one of the application's own class.
const made = createTestClient({ seed: 1 });
assert.ok(made.client instanceof sdk.PartnerClient);
assert.equal((await made.client.users.get(userId)).id, userId);
await made.close();

await Promise.all([client.close(), otherClient.close()]);
await sandbox.close();
