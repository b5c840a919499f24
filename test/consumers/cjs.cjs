const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const sdk = require('partner-sdk');
const { createSandbox, createTestClient } = require('partner-sdk/sandbox');
const webhooks = require('partner-sdk/webhooks');

async function main() {
  const other = await import('partner-sdk');
  assert.equal(sdk.PartnerClient, other.PartnerClient, 'both forms of modules share one copy');

  const isValue = (name) => 'value' in (Object.getOwnPropertyDescriptor(sdk, name) ?? {});
  assert.deepEqual(
    Object.keys(sdk).filter((name) => !isValue(name)),
    [],
    'jest.mock() leaves out exports with a getter',
  );

  await readOverHttp2();
  const loaded = Object.keys(require.cache).filter((file) => file.includes('/node_modules/undici/'));
  assert.deepEqual(loaded, [], 'a client that speaks HTTP/2 loads no file of undici');

  const sandbox = createSandbox({ seed: 1 });
  const { url } = await sandbox.listen({ port: 0 });
  const client = new sdk.PartnerClient({ baseUrl: url, ...sandbox.credentials });
  const { userId, accountId } = sandbox.fixtures;

  assert.equal((await client.users.get(userId)).id, userId);
  const page = await client.accounts.onDemandConversions.list(accountId, { page_size: 5 });
  assert.equal(page.items.length, 5);
  assert.ok(page.items[0].rate.price instanceof sdk.Decimal);

  const error = await client.users.get('no-such-user-here').catch((reason) => reason);
  assert.ok(error instanceof sdk.NotFoundError);
  assert.ok(error instanceof other.NotFoundError);

  const secret = Buffer.from('a signing secret').toString('base64');
  const body = '{"event_type":"webhook.test"}';
  const event = webhooks.verifyWebhook({ body, headers: webhooks.signWebhook({ body, secret }), secret });
  assert.equal(event.type, 'webhook.test');
  assert.ok(webhooks.isWebhookEvent(event, 'webhook.test'));

  const made = createTestClient({ seed: 1 });
  assert.ok(made.client instanceof sdk.PartnerClient);
  assert.equal((await made.client.users.get(userId)).id, userId);
  await made.close();

  await client.close();
  await sandbox.close();
}

function certificate() {
  const words = 'req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout -';
  const text = execFileSync('openssl', words.split(' '), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const begin = text.indexOf('-----BEGIN CERTIFICATE');
  return { key: text.slice(0, begin), cert: text.slice(begin) };
}

async function readOverHttp2() {
  const sandbox = createSandbox({ seed: 1 });
  const identity = certificate();
  const { url } = await sandbox.listen({ tls: identity });
  const transport = sdk.undiciTransport({ tls: { ca: identity.cert } });
  const client = new sdk.PartnerClient({ baseUrl: url, ...sandbox.credentials, transport });
  assert.equal((await client.users.get(sandbox.fixtures.userId)).id, sandbox.fixtures.userId);
  assert.equal(client.stats().lanes[0].way, 'http2');
  await client.close();
  await sandbox.close();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
