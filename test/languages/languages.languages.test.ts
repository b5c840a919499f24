import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import { signWebhook } from 'partner-sdk/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf, LANGUAGES, Programs } from './support/languages.js';

describe('20 workers', () => {
  it('test against one sandbox, each in its world', async () => {
    await using sandbox = createSandbox({ realTime: true });
    const { url } = await sandbox.listen();
    const env = { ...process.env, PARTNER_SANDBOX_URL: url };
    const { stdout } = await promisify(execFile)('python3', [exampleOf('python/worlds.py')], { env });
    expect(stdout).toBe('20 workers, 60 tests, same ids in all: True\n');
    expect([sandbox.worlds.list(), sandbox.journal]).toEqual([[], []]);
  });
});

describe.each(LANGUAGES)('$name', (language) => {
  let programs: Programs;
  beforeAll(() => {
    programs = new Programs(language);
  }, 360_000);
  afterAll(() => programs.close());

  describe('the client', () => {
    const running = async (
      use: (sandbox: Sandbox, run: (more?: object) => ReturnType<Programs['runClient']>) => Promise<void>,
    ) => {
      await using sandbox = createSandbox({ realTime: true });
      const { url } = await sandbox.listen();
      const { apiKey, apiSecret } = sandbox.credentials;
      const env = { PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret };
      await use(sandbox, (more) =>
        programs.runClient({ ...env, PARTNER_ACCOUNT_ID: sandbox.fixtures.accountId, ...more }),
      );
    };

    it('signs what the service accepts, and reads values and errors', async () => {
      await running(async (sandbox, run) => {
        const { lines, code, errors } = await run();
        expect({ code, errors }).toEqual({ code: 0, errors: '' });
        expect(lines).toEqual([
          'conversions 2',
          expect.stringMatching(/^quote offered 0\.\d+$/),
          expect.stringMatching(/^error 404 not_found req_[\w-]+$/),
        ]);
        expect(sandbox.journal.map(({ operation, verdict }) => [operation, verdict])).toEqual([
          ['accounts.onDemandConversions.list', 'accepted'],
          ['accounts.quotes.create', 'accepted'],
          ['accounts.quotes.get', 'accepted'],
          ['accounts.quotes.get', 'not_found'],
        ]);
      });
    });

    it('runs in a world by nothing but its variables', async () => {
      await running(async (sandbox, run) => {
        const { credentials, fixtures, url } = sandbox.worlds.add({ seed: 2 });
        const { apiKey, apiSecret } = credentials;
        const { lines, code } = await run({
          ...{ PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret, PARTNER_ACCOUNT_ID: fixtures.accountId },
        });
        expect([lines.length, code, sandbox.journal]).toEqual([3, 0, []]);
        const journal = (await (await fetch(`${url}/journal`)).json()) as { readonly data: readonly unknown[] };
        expect(journal.data).toHaveLength(4);
      });
    });

    it('retries a write with the same key, a new nonce and a new signature', async () => {
      await running(async (sandbox, run) => {
        sandbox.fail({
          operation: 'accounts.quotes.create',
          fault: 503,
          when: 'after',
          times: 2,
          retryAfterSeconds: 1,
        });
        expect(await run()).toMatchObject({ code: 0 });
        const writes = sandbox.journal.filter(({ operation }) => operation === 'accounts.quotes.create');
        expect(writes.map(({ verdict }) => verdict)).toEqual(['fault_after', 'fault_after', 'replayed']);
        expect(new Set(writes.map(({ key }) => key)).size).toBe(1);
        const nonces = writes.map(({ nonce = '' }) => BigInt(nonce));
        expect(nonces.every((nonce, index) => index === 0 || nonce > (nonces[index - 1] ?? 0n))).toBe(true);
      });
    });

    it('fails with a wrong secret, and not silently', async () => {
      await running(async (sandbox, run) => {
        const { lines } = await run({ PARTNER_API_SECRET: Buffer.from('another').toString('base64') });
        expect(lines.join('\n')).not.toMatch(/quote offered/);
        expect(sandbox.journal[0]?.verdict).toBe('bad_signature');
      });
    });
  });

  describe('the receiver', () => {
    it('takes what the service delivers, each event once, also while secrets are rotated', async () => {
      await using sandbox = createSandbox();
      // The URL is known only when the receiver runs, which needs the secret.
      const { id, signing_secret } = sandbox.webhooks.register({
        url: 'http://127.0.0.1:9/',
        events: ['deposit.completed'],
      });
      const { url, events } = await programs.startReceiver(signing_secret);
      sandbox.webhooks.update(id, { url });
      sandbox.webhooks.rotateSecret(id);
      sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'BTC', amount: '1' });
      await sandbox.webhooks.idle();
      const [delivery] = sandbox.webhooks.listDeliveries();
      expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] });
      expect(await sandbox.webhooks.redeliver(delivery?.id ?? '')).toMatchObject({ attempts: [{}, { status: 200 }] });
      await expect.poll(events).toEqual(['deposit.completed']);
    });

    it('refuses everything that is not proven', async () => {
      const secret = Buffer.from('the secret of the receiver').toString('base64');
      const { url, events } = await programs.startReceiver(secret);
      const body = '{"id":"evt_1","type":"quote.executed","data":{"note":"Zürich"}}';
      const now = Math.floor(Date.now() / 1000);
      const signed = (over: Partial<Parameters<typeof signWebhook>[0]> = {}) => ({
        ...signWebhook({ body, secret, ...over }),
      });
      const v1 = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${now}.${body}`).digest('hex');
      const status = async (headers: Record<string, string>, sent = body) =>
        (await fetch(url, { method: 'POST', body: sent, headers })).status;
      const header = (value: string) => ({ 'x-signature': value, 'x-webhook-id': 'evt_2' });
      const refused: readonly (readonly [string, Record<string, string>, string?])[] = [
        ['no signature', {}],
        ['an empty one', header('')],
        ['another secret', signed({ secret: Buffer.from('another').toString('base64') })],
        ['another body', signed(), body.replace('executed', 'forged')],
        ['an old one', signed({ timestampSeconds: now - 400 })],
        ['one of the future', signed({ timestampSeconds: now + 400 })],
        ['no time', header(`v1=${v1}`)],
        ['two times', header(`t=${now},t=${now - 1},v1=${v1}`)],
        ['a time that is no number', header(`t=${now}x,v1=${v1}`)],
        ['no v1', header(`t=${now}`)],
        ['an empty v1', header(`t=${now},v1=`)],
        ['a part of it', header(`t=${now},v1=${v1.slice(0, 32)}`)],
        ['another version', header(`t=${now},v0=${v1}`)],
      ];
      for (const [what, headers, sent] of refused) expect([what, await status(headers, sent)]).toEqual([what, 400]);
      expect(await status(header(`t=${now},v1=00,v1=${v1}`))).toBe(200);
      await expect.poll(events).toEqual(['quote.executed']);
    });
  });
});
