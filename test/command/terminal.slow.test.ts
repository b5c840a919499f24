import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { shellQuoted } from '../../src/util/shell.js';
import { MAIN, run, service } from './support/run.js';

/** Runs the command on a terminal; each answer is typed when its question is there. */
function onTerminal(words: readonly string[], env: NodeJS.ProcessEnv, answers: readonly (readonly [RegExp, string])[]) {
  const line = [process.execPath, MAIN, ...words].map(shellQuoted).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: { PATH: process.env['PATH'], ...env } });
  let shown = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
    const [question, answer] = answers[answered] ?? [];
    if (answer === undefined || !question?.test(shown)) return;
    answered++;
    child.stdin.write(answer);
  });
  return new Promise<{ code: number | null; shown: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, shown }));
  });
}

const WRITE = ['call', 'webhooks.delete', 'ep_1', '--base-url', 'https://api.invalid'];
const ASKED = /DELETE \/v1\/webhooks\/\{webhook_id\} at api\.invalid: send it\? \[y\/N\]/;

describe('on a terminal', () => {
  test('a write to another machine is asked for, and only y sends it', async () => {
    const { env } = await service();
    const no = await onTerminal(WRITE, env, [[ASKED, 'n\r']]);
    expect(no.code).toBe(1);
    expect(no.shown).toContain('not confirmed: nothing was sent');
    const yes = await onTerminal(WRITE, env, [[ASKED, 'y\r']]);
    expect(yes.code).toBe(1);
    expect(yes.shown).toMatch(/"name":"ConnectionError"/);
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s at the question sends nothing', async (_, key) => {
    const { env } = await service();
    const { code, shown } = await onTerminal(WRITE, env, [[ASKED, key]]);
    expect(code).toBe(1);
    expect(shown).toContain('nobody answered, so nothing was sent');
  });

  test('a one-time password is asked for', async () => {
    const { sandbox, env } = await service({ otp: '271828' });
    const words = ['call', 'accounts.wallets.whitelist', sandbox.fixtures.accountId, '--via', 'bitcoin', '--address'];
    const whitelist = [...words, 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'];
    const { code, shown } = await onTerminal(whitelist, env, [[/One-time password: /, '271828\r']]);
    expect(code).toBe(0);
    expect(shown).toContain('"status": "pending"');
    expect(sandbox.journal.map(({ verdict }) => verdict)).toEqual(['accepted']);
    const none = await onTerminal(whitelist, env, [[/One-time password: /, '\r']]);
    expect(none.code).toBe(1);
    expect(sandbox.journal).toHaveLength(1);
  });
});

describe('operations', () => {
  test('lists all, or those that have all words', async () => {
    expect((await run(['operations'])).stdout.trim().split('\n')).toHaveLength(70);
    const { stdout } = await run(['operations', 'withdrawal', 'POST']);
    expect(stdout).toMatch(
      /^ {2}funds\.withdrawals\.create +Create withdrawal: POST \/v1\/accounts\/\{account_id\}\/funds\/withdrawals$/m,
    );
    expect(stdout).not.toContain('.list');
    expect(await run(['operations', 'no', 'such', 'words'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('--help of one is made from its description', async () => {
    const { code, stdout } = await run(['call', 'accounts.quotes.create', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Create quote: POST \/v1\/accounts\/\{account_id\}\/quotes \(documented\)\n\nRequests a price/,
    );
    expect(stdout).toMatch(/^ {2}--from\.symbol <text> +Required\. Ticker, 3 to 16 characters\.$/m);
    expect(stdout).toContain('--idempotency-key has no second effect');
    expect((await run(['call', '--help'])).stdout).toMatch(/Use an API key of its own for the shell/);
  });
});
