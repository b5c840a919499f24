import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSandbox, createTestClient, type Sandbox } from 'partner-sdk/sandbox';
import { signWebhook, verifyWebhook } from 'partner-sdk/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND } from '../cli/support/command.js';
import { directory } from '../cli/support/directory.js';
import { freePort } from '../support/free-port.js';
import { exampleOf, LANGUAGES, Programs } from './support/languages.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The body of a delivery, the id that it is known by, and its header `X-Webhook-Event`, if it has one. */
type Sent = readonly [body: string, id: string, kind?: string];
const ENVELOPED = [1, 2, 3].map(
  (n): Sent => [`{"data":{"id":"q"},"id":"evt_${n}","type":"quote.executed"}`, `evt_${n}`],
);
const FLAT = [1, 2, 3].map((n): Sent => {
  const body = `{"event_type":"quote.executed","id":"q","timestamp":"2026-01-0${n}T00:00:00Z"}`;
  return [body, sha256(body)];
});
const UNUSUAL: readonly Sent[] = [
  // A retry may be serialised again: the signed id is the event's.
  [String.raw`{ "id" : "evt_\u00e4\/\"1", "type":"quote.executed", "data" : {} }`, 'evt_ä/"1'],
  // Only the `id` of an envelope is the event's.
  ...[
    '{"type":"quote.executed","data":{"id":"q"}}',
    '{"type":"quote.executed","data":{"n":1},"id":""}',
    '{"type":"quote.executed","data":{"n":2},"id":7}',
    '{"type":"quote.executed","data":[{"n":3}],"id":"q"}',
    '{"type":"quote.executed","id":"q"}',
    '{"event_type":"quote.executed","id":"q","type":"crypto","data":{}}',
    String.raw`{"note":"\"id\":\"q\",{","type":"quote.executed","data":{"type":"crypto","id":"q"}}`,
  ].map((body): Sent => [body, sha256(body)]),
  // The unsigned header distinguishes what the body does not.
  ...['quote.executed', 'deposit.completed'].map((kind): Sent => ['{"id":"q"}', sha256(`${kind}\n{"id":"q"}`), kind]),
];

const writesOf = ({ journal }: Sandbox) => journal.filter(({ operation }) => operation === 'accounts.quotes.create');

describe('4 workers', () => {
  it('test at once, each with a sandbox of its own, and end it', async () => {
    const folder = await directory();
    const program = COMMAND.map((word) => `'${word}'`).join(' ');
    const notes = join(folder, 'processes');
    await writeFile(join(folder, 'partner-sandbox'), `#!/bin/sh\necho $$ >> '${notes}'\nexec ${program} "$@"\n`, {
      mode: 0o755,
    });
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const { stdout } = await promisify(execFile)('python3', [exampleOf('python/workers.py')], { env });
    expect(stdout).toBe('4 workers, 12 tests, same ids in all: True\n');
    const ids = (await readFile(notes, 'utf8')).trim().split('\n').map(Number);
    expect(ids).toHaveLength(4);
    for (const id of ids) expect(() => process.kill(id, 0)).toThrow(/ESRCH/);
  });
});

describe.each(LANGUAGES)('$name', (language) => {
  let programs: Programs;
  beforeAll(() => {
    programs = new Programs(language);
  }, 360_000);
  afterAll(() => programs.close());

  // Most of their time is waiting.
  describe.concurrent('the client', () => {
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
          `key ${writesOf(sandbox)[0]?.key}`,
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
        const writes = writesOf(sandbox);
        expect(writes.map(({ verdict }) => verdict)).toEqual(['fault_after', 'fault_after', 'replayed']);
        expect(new Set(writes.map(({ key }) => key)).size).toBe(1);
        const nonces = writes.map(({ nonce = '' }) => BigInt(nonce));
        expect(nonces.every((nonce, index) => index === 0 || nonce > (nonces[index - 1] ?? 0n))).toBe(true);
      });
    });

    it.each([
      ['the connection breaks', { fault: 'reset' }],
      ['the time is over', { fault: 'timeout' }],
      ['the body breaks off', { fault: 'truncate' }],
      ["a gateway's page takes its place", { fault: 'html' }],
    ] as const)('sends a write again whose answer is lost, with one effect: %s', async (_, fault) => {
      await running(async (sandbox, run) => {
        sandbox.fail({ operation: 'accounts.quotes.create', when: 'after', ...fault });
        expect(await run({ PARTNER_TIME_LIMIT_S: '5' })).toMatchObject({ code: 0, errors: '' });
        const writes = writesOf(sandbox);
        expect(writes.map(({ verdict }) => verdict)).toEqual(['fault_after', 'replayed']);
        expect(new Set(writes.map(({ key }) => key)).size).toBe(1);
        expect(new Set(writes.map(({ nonce }) => nonce)).size).toBe(2);
      });
    });

    it('sends a read again whose answer is lost, signed anew', async () => {
      await running(async (sandbox, run) => {
        sandbox.fail({ operation: 'accounts.quotes.get', fault: 'reset', when: 'after' });
        sandbox.fail({ operation: 'accounts.onDemandConversions.list', fault: 'garbage' });
        expect(await run()).toMatchObject({ code: 0, errors: '' });
        expect(sandbox.journal.map(({ operation, verdict }) => [operation, verdict])).toEqual([
          ['accounts.onDemandConversions.list', 'fault_after'],
          ['accounts.onDemandConversions.list', 'accepted'],
          ['accounts.quotes.create', 'accepted'],
          ['accounts.quotes.get', 'fault_after'],
          ['accounts.quotes.get', 'accepted'],
          ['accounts.quotes.get', 'not_found'],
        ]);
      });
    });

    it.each([
      ['its answers are all lost', [{ fault: 'reset', times: 3 }], 3, 'no response .*: unknown'],
      ['a gateway answers, whose status is told', [{ fault: 'html', times: 3 }], 3, '502 <html>.*: unknown'],
      ['a later refusal ends no doubt', [{ fault: 'reset' }, { fault: 403 }], 2, String.raw`403 \w+ req_\S+: unknown`],
      ['the service refuses', [{ fault: 403 }], 1, String.raw`403 \w+ req_\S+: not_applied`],
      ['the service itself fails', [{ fault: 500 }], 1, String.raw`500 \w+ req_\S+: unknown`],
      ['its success is spoilt', [{ fault: 'garbage' }], 1, String.raw`2\d\d .*: applied`],
    ] as const)('says what has become of a write: %s', async (_, faults, attempts, told) => {
      await running(async (sandbox, run) => {
        for (const fault of faults) sandbox.fail({ operation: 'accounts.quotes.create', ...fault });
        const { errors, code } = await run();
        const writes = writesOf(sandbox);
        expect(writes).toHaveLength(attempts);
        expect(errors.trim()).toMatch(new RegExp(`^failed ${told}, key ${writes[0]?.key}$`));
        expect(code).toBe(1);
      });
    });

    it('says it in one line if nothing listens', async () => {
      await running(async (_, run) => {
        const { errors, code } = await run({ PARTNER_BASE_URL: `http://127.0.0.1:${await freePort()}` });
        expect([errors.trim(), code]).toEqual([expect.stringMatching(/^failed no response .*$/), 1]);
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
    it('handles what the service delivers, each event once, also while secrets are rotated', async () => {
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

    it('takes a test delivery, which is flat, and what names no kind', async () => {
      await using test = createTestClient();
      const { client, sandbox } = test;
      const { id, signing_secret } = sandbox.webhooks.register({ url: 'http://127.0.0.1:9/' });
      const { url, events } = await programs.startReceiver(signing_secret);
      sandbox.webhooks.update(id, { url });
      expect(await client.webhooks.test(id)).toMatchObject({ result: 'success', http_status: 200 });
      for (const body of ['{"data":{}}', '[]', 'null', '<html>', '']) {
        const headers = { ...signWebhook({ body, secret: signing_secret }) };
        expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
      }
      await expect.poll(events).toEqual(['webhook.test', ...Array<string>(5).fill('unknown')]);
    });

    it.each([
      ['enveloped', ENVELOPED],
      ['flat', FLAT],
      ['unusual', UNUSUAL],
    ])('handles each %s event to one subscription once, and drops its duplicates', async (_, sent) => {
      const secret = Buffer.from('the secret of the receiver').toString('base64');
      const { url, ids } = await programs.startReceiver(secret);
      for (const [body, id, kind] of [...sent, ...sent]) {
        const headers = { 'x-webhook-id': 'ep_1', ...(kind && { 'x-webhook-event': kind }) };
        const signed = { ...headers, ...signWebhook({ body, secret }) };
        expect((await fetch(url, { method: 'POST', body, headers: signed })).status).toBe(200);
        expect(verifyWebhook({ body, headers: signed, secret }).deliveryId).toBe(id);
      }
      await expect.poll(ids).toEqual(sent.map(([, id]) => id));
    });

    it('rejects everything that is not verified', async () => {
      const secret = Buffer.from('the secret of the receiver').toString('base64');
      const { url, events } = await programs.startReceiver(secret);
      const body = '{"id":"evt_verified","type":"quote.executed","data":{"note":"Zürich"}}';
      const now = Math.floor(Date.now() / 1000);
      const signed = (over: Partial<Parameters<typeof signWebhook>[0]> = {}) => ({
        ...signWebhook({ body, secret, ...over }),
      });
      const v1 = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${now}.${body}`).digest('hex');
      const status = async (headers: Record<string, string>, sent = body) =>
        (await fetch(url, { method: 'POST', body: sent, headers })).status;
      const header = (value: string) => ({ 'x-signature': value, 'x-webhook-id': 'ep_1' });
      const refused: readonly (readonly [string, Record<string, string>, string?])[] = [
        ['no signature', {}],
        ['an empty one', header('')],
        ['another secret', signed({ secret: Buffer.from('another signing secret').toString('base64') })],
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
