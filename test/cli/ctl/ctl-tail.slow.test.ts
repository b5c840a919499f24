import { beforeEach, describe, expect, test } from 'vitest';
import { call } from '../support/caller.js';
import { type RunningCommand, start, startListening } from '../support/command.js';

let sandbox: RunningCommand;
let variables: NodeJS.ProcessEnv;
beforeEach(async () => {
  sandbox = await startListening(['--still']);
  variables = { PARTNER_SANDBOX_URL: sandbox.variable('PARTNER_BASE_URL') };
});

describe('ctl tail', () => {
  test('shows what happens as it happens, and Ctrl-C ends it well', async () => {
    const tail = start(['ctl', 'tail', '--verdict', 'bad_signature,accepted', '--json'], variables);
    const url = sandbox.variable('PARTNER_BASE_URL');
    await expect
      .poll(
        async () => {
          await call(sandbox, { path: '/v1/webhooks', nonce: BigInt(Date.now()) });
          return tail.lines.length;
        },
        { interval: 200 },
      )
      .toBeGreaterThan(0);
    await fetch(`${url}/v1/webhooks`);
    expect(tail.events[0]).toMatchObject({ kind: 'request', operation: 'webhooks.list', verdict: 'accepted' });
    tail.kill('SIGINT');
    expect(await tail.ended()).toEqual({ code: 0, signal: null });
    expect(tail.stdout).not.toContain('missing_header');
    expect(tail.stderr).toBe('');
  });

  test('goes on when the sandbox has started again', async () => {
    const port = new URL(sandbox.variable('PARTNER_BASE_URL')).port;
    const tail = start(['ctl', 'tail', '--kind', 'request'], variables);
    const ask = async () => {
      await fetch(`http://127.0.0.1:${port}/nowhere`).catch(() => {});
      return tail.lines.length;
    };
    await expect.poll(ask, { interval: 200 }).toBeGreaterThan(0);
    sandbox.kill('SIGTERM');
    await sandbox.ended();
    const before = tail.lines.length;
    await expect.poll(() => tail.stderr).toContain('the sandbox has gone; waiting for it');
    const again = start(['--port', port, '--still']);
    await again.until(({ lines }) => lines.length > 0);
    await expect.poll(ask, { interval: 200 }).toBeGreaterThan(before);
    expect(tail.stderr).toContain('the sandbox is back');
    tail.kill('SIGTERM');
    expect((await tail.ended()).code).toBe(0);
  });

  test('ends when nobody reads it any more', async () => {
    const tail = start(['ctl', 'tail'], variables);
    tail.child.stdout.destroy();
    const url = sandbox.variable('PARTNER_BASE_URL');
    await expect
      .poll(async () => {
        await fetch(`${url}/nowhere`);
        return tail.child.exitCode;
      })
      .toBe(0);
    expect(tail.stderr).toBe('');
  });
});
