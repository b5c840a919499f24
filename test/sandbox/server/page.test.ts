import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { sharedSandbox } from '../support/partner.js';

const { url } = await sharedSandbox();

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the page may run its own two scripts and style, and reach its sandbox alone', async () => {
  const page = await fetch(`${url}/_sandbox/`);
  const text = await page.text();
  const [, data = ''] = /<script type="application\/octet-stream" id="packed">(.*?)<\/script>/s.exec(text) ?? [];
  const [, unpack = ''] = /<script>(.*?)<\/script>/s.exec(text) ?? [];
  const script = inflateRawSync(Buffer.from(data, 'base64')).toString('utf8');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src ${hashOf(unpack)} ${hashOf(script)};`);
  expect([page.headers.get('cache-control'), page.headers.get('x-content-type-options')]).toEqual([
    'no-store',
    'nosniff',
  ]);
});

test('the page is small', async () => {
  const page = await (await fetch(`${url}/_sandbox/`)).arrayBuffer();
  expect(page.byteLength).toBeLessThan(150_000);
});

test.each([
  ['GET', '/_sandbox'],
  ['HEAD', '/_sandbox'],
  ['GET', '/_sandbox?a=1'],
])('%s %s, without the slash, leads to the page', async (method, path) => {
  const answer = await fetch(url + path, { method, redirect: 'manual' });
  expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([308, '/_sandbox/', '']);
  const followed = await fetch(url + path, { method });
  expect([followed.status, followed.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

test('a path of the API that begins like it is one of the API', async () => {
  expect((await fetch(`${url}/_sandboxes`)).status).toBe(401);
});

test('pages of other origins are not led there', async () => {
  const answer = await fetch(`${url}/_sandbox`, { headers: { origin: 'http://elsewhere.test' }, redirect: 'manual' });
  expect(answer.status).toBe(403);
});

test('a sandbox without the page says so, and is driven all the same', async () => {
  await using sandbox = createSandbox();
  const { url: bare } = await sandbox.listen({ inspector: false });
  const page = await fetch(`${bare}/_sandbox`);
  expect(page.status).toBe(404);
  expect(await page.json()).toEqual({ error: { message: expect.stringContaining('inspector: false') } });
  expect((await fetch(`${bare}/_sandbox/clock`)).status).toBe(200);
});
