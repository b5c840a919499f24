import { readdirSync, readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { build, transform } from 'esbuild';
import { PartnerClient } from 'partner-sdk';
import { createTestClient } from 'partner-sdk/sandbox';
import { expect, it } from 'vitest';
import { readDocument } from './support/blocks.js';

const said = async (work: () => unknown): Promise<string> =>
  String(
    await Promise.resolve()
      .then(work)
      .catch((error) => error),
  );

/** What the client says of responses and inputs, and what Node and esbuild say. */
async function saidAtWork(): Promise<string[]> {
  const { client, sandbox } = createTestClient({ seed: 1 });
  const { accountId, quoteId } = sandbox.fixtures;
  const works: (() => unknown)[] = [
    () => new PartnerClient({ timout: 1 } as never),
    () => client.accounts.quotes.create(accountId, { form: 1, color: 1 } as never),
    () => new PartnerClient({ baseUrl: 'http://127.0.0.1:1', ...sandbox.credentials, maxRetries: 0 }).assets.list(),
    () => new Script("import 'partner-sdk'"),
    () => transform('await 1', { format: 'cjs', logLevel: 'silent' }),
  ];
  const messages = await Promise.all(works.map(said));
  for (const fault of [400, 409, 410, 429, 500, 503, 'garbage', 'timeout'] as const) {
    sandbox.fail({ fault, ...(fault === 429 && { retryAfterSeconds: 3_600 }), times: 'always' });
    const options = { attemptTimeout: 50, maxRetries: 0 };
    messages.push(await said(() => client.accounts.quotes.execute(accountId, quoteId, options)));
    sandbox.troubles.clear();
  }
  await client.close();
  const stdin = { contents: "module.exports = require('node:fs')" };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', external: ['node:fs'], write: false });
  return [...messages, ...outputFiles.map(({ text }) => text)];
}

it('each message of the page about messages is one of the package, or of what runs it', async () => {
  const page = readDocument('docs/operate/troubleshooting.md');
  const messages = Array.from(page.matchAll(/^\| `(.+?)`/gm), ([, message = '']) => message);
  expect(messages.length).toBeGreaterThan(50);
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const texts = sources.map((path) => readFileSync(`src/${path}`, 'utf8').replaceAll(/['"`] \+\s+['"`]/g, ''));
  const all = [...texts, ...(await saidAtWork())];
  const missing = messages.filter((message) => {
    const parts = message.split('…').map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const pattern = new RegExp(parts.filter((part) => part !== '').join('.{0,300}'), 's');
    return !all.some((text) => pattern.test(text));
  });
  expect(missing).toEqual([]);
});
