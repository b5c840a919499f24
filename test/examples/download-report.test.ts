import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createTestClient, type TestClient } from 'partner-sdk/sandbox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { downloadReport, downloadReports } from '../../examples/download-report.js';

const DAY = '2026-01-15';

let test: TestClient;
let directory: string;
let reportId: string;
let requests: Request[];

beforeEach(async () => {
  test = createTestClient({ seed: 1 });
  test.sandbox.advance(86_400_000);
  directory = await mkdtemp(join(tmpdir(), 'reports-'));
  [reportId = ''] = (await test.client.reports.settlement.list().toArray({ limit: 1 })).map(({ id }) => id);
  requests = [];
});
afterEach(async () => {
  await test.close();
  await rm(directory, { recursive: true });
});

const download = (request: Request): Promise<Response> => {
  requests.push(request);
  return test.sandbox.fetch(request);
};

it('saves each report of a day unchanged, without sending the API key', async () => {
  const paths = await downloadReports(test.client, DAY, directory, download);
  expect((await readdir(directory)).sort()).toEqual(
    ['earn_rewards', 'funding', 'price_trigger_swaps', 'swaps'].map((type) => `${type}-${DAY}.csv`),
  );
  for (const [index, path] of paths.entries()) {
    const { url, headers } = requests[index] as Request;
    expect([...headers]).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(await (await test.sandbox.fetch(new Request(url))).text());
  }
});

it('asks for a fresh URL if one has expired', async () => {
  const path = await downloadReport(test.client, reportId, directory, (request) => {
    if (requests.length === 0) test.sandbox.advance(16 * 60_000);
    return download(request);
  });
  expect(new Set(requests.map(({ url }) => url)).size).toBe(2);
  expect((await readFile(path, 'utf8')).length).toBeGreaterThan(0);
});

it.each<[string, () => Response]>([
  ['a status of failure', () => new Response('an error page', { status: 500 })],
  [
    'a body that breaks off',
    () =>
      new Response(
        new ReadableStream({
          start: (body) => body.enqueue(new Uint8Array(9)),
          pull: (body) => body.error(new Error('the connection broke')),
        }),
      ),
  ],
])('%s leaves no file, and its error does not contain the URL', async (_, respond) => {
  const error = await downloadReport(test.client, reportId, directory, async (request) => {
    requests.push(request);
    return respond();
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(requests).toHaveLength(3);
  expect(inspect(error)).not.toContain('signature=');
  expect(await readdir(directory)).toEqual([]);
});
