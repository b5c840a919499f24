import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { PartnerClient } from 'partner-sdk';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import { describe, expect, it } from 'vitest';
import { copiedBy, opened, openNewest, openTab } from './support/browser.js';
import { send } from './support/signed.js';

const run = promisify(execFile);

/** With what a shell, Python and JavaScript must not take for their own. */
const NASTY = `it's "$(id)" \\ \` %41 {} [x] é 🙂 \u2028`;

type At = Parameters<typeof openNewest>[0];

/** Opens the newest request of the name, shows it as a program, and returns that. */
async function copied(at: At, name: RegExp, language: 'curl' | 'Python' | 'TypeScript' | 'Test'): Promise<string> {
  const panel = await openTab(await openNewest(at, name), 'Code');
  await panel.getByRole('button', { name: language, exact: true }).click();
  const code = panel.getByRole('region', { name: `The request as ${language.toLowerCase()}` });
  return copiedBy(at.page, code.getByRole('button', { name: /^Copy copy of/ }));
}

const environment = ({ credentials }: Sandbox) => ({
  PATH: process.env['PATH'],
  PYTHONUTF8: '1',
  PARTNER_OTP: '123456',
  PARTNER_API_KEY: credentials.apiKey,
  PARTNER_API_SECRET: credentials.apiSecret,
});

/** Runs a program of the client as it stands there. What it writes is the result. */
async function runTypeScript(code: string, given: Readonly<Record<string, unknown>>): Promise<void> {
  const bare = code.replaceAll(/^import .*$/gm, '');
  const { code: script } = await transform(`const main = async () => {${bare}};`, { loader: 'ts', target: 'es2022' });
  const names = Object.keys(given);
  await new Function(...names, `${script}\nreturn main();`)(...Object.values(given));
}

describe('a request as code', () => {
  it.each([
    ['curl', 'bash', '-c'],
    ['Python', 'python3', '-c'],
  ] as const)('runs in %s, and sends the same bytes', async (language, program, option) => {
    await opened(async ({ sandbox, page, url }) => {
      const path = `/v1/accounts/${sandbox.fixtures.accountId}/quotes`;
      const bodies = [
        `{"from":{"symbol":"USD","type":"fiat","amount":"100.00"},\n  "to":{"symbol":"BTC","type":"crypto"}}`,
        JSON.stringify({ from: { symbol: NASTY } }),
      ];
      for (const [body, status] of [
        [bodies[0], 200],
        [bodies[1], 400],
      ] as const) {
        await send(sandbox, url, { method: 'POST', path, ...(body === undefined ? {} : { body }), key: randomUUID() });
        const code = await copied({ page, sandbox }, /quotes\.create/, language);
        expect(code).not.toContain(sandbox.credentials.apiSecret);
        const { stdout } = await run(program, [option, code], { env: environment(sandbox) });
        expect(stdout).toContain(status === 200 ? '"offered"' : '"bad_request"');
        const [first, second] = sandbox.journal.slice(-2).map(({ seq }) => sandbox.requests.get(seq));
        expect(second?.request?.body?.text).toBe(body);
        expect(second).toMatchObject({ status, path, key: first?.key });
        if (status === 200) expect(second?.verdict).toBe('replayed');
      }
      // A query, and no body.
      const listing = `/v1/assets?type=crypto&page_size=1&sort=${encodeURIComponent('"$HOME')}%27[{x}]`;
      await send(sandbox, url, { path: listing });
      const code = await copied({ page, sandbox }, /assets\.list/, language);
      await run(program, [option, code], { env: environment(sandbox) });
      expect(sandbox.journal.slice(-2).map((entry) => [entry.path, entry.verdict])).toEqual([
        [listing, 'bad_request'],
        [listing, 'bad_request'],
      ]);
    });
  });

  it('runs in TypeScript with the client', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { accountId } = sandbox.fixtures;
      await client.assets.list({ type: ['crypto', 'fiat'], page_size: 2, swap_trading: true });
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '9.00' }, to: { symbol: 'BTC', type: 'crypto' } };
      await client.accounts.quotes.create(accountId, sides);
      const before = sandbox.journal.map(({ seq }) => sandbox.requests.get(seq));
      const written: unknown[] = [];
      for (const name of [/assets\.list/, /quotes\.create/]) {
        const code = await copied({ page, sandbox }, name, 'TypeScript');
        const env = { PARTNER_API_KEY: sandbox.credentials.apiKey, PARTNER_API_SECRET: sandbox.credentials.apiSecret };
        class Client extends PartnerClient {
          constructor(options: object) {
            super({ ...options, ...sandbox.credentials });
          }
        }
        const console = { log: (value: unknown) => written.push(value) };
        await runTypeScript(code, { PartnerClient: Client, process: { env }, console });
      }
      const after = sandbox.journal.slice(2).map(({ seq }) => sandbox.requests.get(seq));
      expect(after.map((one) => [one?.path, one?.key, one?.request?.body?.text])).toEqual(
        before.map((one) => [one?.path, one?.key, one?.request?.body?.text]),
      );
      expect(written).toMatchObject([[{}, {}], { status: 'offered' }]);
    });
  });

  it('turns into a test that passes, and fails when the end is another', async () => {
    await opened(async ({ client, sandbox, page }) => {
      const { accountId, userId } = sandbox.fixtures;
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '9.00' }, to: { symbol: 'BTC', type: 'crypto' } };
      await client.webhooks.list({ page_size: 2 });
      await client.accounts.quotes.create(accountId, sides);
      await client.accounts.quotes.get(accountId, 'none').catch(() => {});
      sandbox.fail({ operation: 'users.get', fault: 503 });
      await client
        .withOptions({ maxRetries: 0 })
        .users.get(userId)
        .catch(() => {});
      const tests: string[] = [];
      for (const name of [/webhooks\.list/, /quotes\.create/, /404.*quotes\.get/, /503.*users\.get/]) {
        tests.push(await copied({ page, sandbox }, name, 'Test'));
      }
      const tried = async (code: string): Promise<void> => {
        const found: (() => Promise<void>)[] = [];
        const given = {
          PartnerClient,
          createSandbox,
          expect,
          it: (_: string, one: () => Promise<void>) => found.push(one),
        };
        await runTypeScript(code, given);
        expect(found.length).toBe(1);
        await found[0]?.();
      };
      for (const code of tests) await tried(code);
      await expect(tried(tests[0]?.replace('toBe(200)', 'toBe(201)') ?? '')).rejects.toThrow('201');
      await expect(tried(tests[2]?.replaceAll('404', '410') ?? '')).rejects.toThrow('410');
    });
  });

  it('says why there is no exact test', async () => {
    await opened(async ({ client, sandbox, page, url }) => {
      const { accountId } = sandbox.fixtures;
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '9.00' }, to: { symbol: 'BTC', type: 'crypto' } };
      const { id } = await client.accounts.quotes.create(accountId, sides);
      await client.accounts.quotes.get(accountId, id);
      await send(sandbox, url, { path: '/v1/webhooks', signedPath: '/' });
      for (const [name, why] of [
        [/quotes\.get/, `it names quotes ${id}, which a new sandbox does not have`],
        [/webhooks\.list/, 'the client signs every request rightly'],
      ] as const) {
        const details = await openNewest({ page, sandbox }, name);
        await details.getByRole('button', { name: 'Turn into a test' }).click();
        await details.getByText(why).waitFor();
      }
    });
  });
});
