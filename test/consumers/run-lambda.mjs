// Calls the handler of a bundle as a cloud does, beside which nothing is installed.
import assert from 'node:assert/strict';
import process from 'node:process';

const [path] = process.argv.slice(2);
const loaded = await import(path);
const { handler } = loaded.handler === undefined ? loaded.default : loaded;
const event = { options: {}, transport: 'undici', ...JSON.parse(process.env.ACCEPTANCE) };
assert.deepEqual(await handler(event), { statusCode: 200 });
