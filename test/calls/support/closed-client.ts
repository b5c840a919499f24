/**
 * Makes calls with a client, closes it, and tells which texts of its secret are in the heap before and after: the secret itself, and what
 * HMAC makes of it. The client and the promises of its calls are kept all the while. Argument: how the secret is given. Needs --expose-gc.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getHeapSnapshot } from 'node:v8';
import { type ClientOptions, PartnerClient } from '../../../src/index.js';

/** Only bytes are kept here: the heap holds no text of them. */
const secrets = Array.from({ length: 3 }, () => randomBytes(64));

const server = createServer((_, response) => void response.end('{"data":{}}'));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

let asked = 0;
const apiSecret = (index = 0): string => (secrets[index % secrets.length] as Buffer).toString('base64');
const WAYS: Record<string, () => ClientOptions> = {
  text: () => ({ apiKey: 'key', apiSecret: apiSecret() }),
  list: () => ({ credentials: secrets.map((_, index) => ({ apiKey: `key-${index}`, apiSecret: apiSecret(index) })) }),
  function: () => ({ apiKey: 'key', apiSecret: async () => apiSecret(asked++) }),
};

const kept: unknown[] = [];

async function use(way: string): Promise<PartnerClient> {
  const client = new PartnerClient({ baseUrl, responseValidation: 'warn', ...WAYS[way]?.() });
  for (let call = 0; call < 6; call++) {
    const answer = client.request({ method: 'GET', path: '/v1/things' });
    kept.push(answer, await answer.withResponse());
  }
  const derived = client.withOptions({ timeout: 1_000 });
  await derived.request({ method: 'GET', path: '/v1/things' });
  await derived.close();
  kept.push(client, derived);
  return client;
}

/** Which texts are in the heap: of each secret the base64, and the inner and the outer block of its HMAC. */
async function found(): Promise<string[]> {
  globalThis.gc?.();
  const snapshot = await text(getHeapSnapshot());
  const { strings } = JSON.parse(snapshot) as { strings: string[] };
  const held = new Set(strings);
  const block = (secret: Buffer, pad: number) =>
    Buffer.from(Array.from({ length: 128 }, (_, index) => (secret[index] ?? 0) ^ pad)).toString('latin1');
  return secrets.flatMap((secret, index) => [
    ...(strings.some((one) => one.includes(secret.toString('base64'))) ? [`secret ${index}`] : []),
    ...(held.has(block(secret, 0x36)) ? [`inner ${index}`] : []),
    ...(held.has(block(secret, 0x5c)) ? [`outer ${index}`] : []),
  ]);
}

const client = await use(process.argv[2] ?? '');
const before = await found();
await client.close();
const after = await found();
server.close();
console.log(JSON.stringify({ before, after, kept: kept.length }));
