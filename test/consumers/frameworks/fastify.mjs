// The plugin: the whole application has the client, and closes it.
import assert from 'node:assert/strict';
import fastify from 'fastify';
import { partner } from './dist/partner.js';

const lines = [];
const app = fastify({ logger: { level: 'debug', stream: { write: (line) => lines.push(JSON.parse(line)) } } });
app.register(partner, { maxRetries: 1 });
app.register(async (scope) => {
  scope.get('/', async () => ({ isClient: scope.partner === app.partner }));
});
const response = await app.inject('/');
assert.deepEqual(response.json(), { isClient: true });

const client = app.partner;
await assert.rejects(async () => client.users.get('no-such-user-here'), { name: 'NotFoundError' });
const logged = lines.find(({ msg }) => msg === 'partner-sdk response');
assert.equal(logged?.status, 404, "the application's logger has the fields");
await app.close();
await assert.rejects(async () => client.users.get('no-such-user-here'), { name: 'ConfigurationError' });
