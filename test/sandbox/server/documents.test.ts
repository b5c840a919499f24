import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sharedSandbox } from '../support/partner.js';

const { url } = await sharedSandbox();

test('openapi.json is the file of the package, as it is', async () => {
  const answer = await fetch(`${url}/_sandbox/openapi.json`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  const text = await answer.text();
  expect(text).toBe(readFileSync('dist/openapi.json', 'utf8'));
  expect(JSON.parse(text).openapi).toBe('3.1.0');
});

test('a program finds it by the name of the package', () => {
  const { paths } = createRequire(import.meta.url)('partner-sdk/openapi.json');
  expect(Object.keys(paths)).toContain('/v1/users/{user_id}');
});

test('a document is only read', async () => {
  const answer = await fetch(`${url}/_sandbox/openapi.json`, { method: 'POST' });
  expect(answer.status).toBe(405);
  expect(await answer.json()).toEqual({ error: { message: 'openapi.json is read with GET' } });
});

test('a document takes no filter', async () => {
  const answer = await fetch(`${url}/_sandbox/openapi.json?limit=1`);
  expect([answer.status, await answer.json()]).toEqual([400, { error: { message: 'openapi.json takes no filter' } }]);
});

test('a path that is not there tells the documents that are', async () => {
  const answer = await fetch(`${url}/_sandbox/openapi.yaml`);
  expect(answer.status).toBe(404);
  expect(((await answer.json()) as { error: { message: string } }).error.message).toContain('openapi.json');
});

test.each(['control.openapi.json', 'collection.json'])(
  '%s, which the package holds compressed, is served plain',
  async (name) => {
    const answer = await fetch(`${url}/_sandbox/${name}`);
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
    expect(await answer.text()).toBe(brotliDecompressSync(readFileSync(`dist/${name}.br`)).toString('utf8'));
  },
);
