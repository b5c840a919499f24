import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createSandbox, type ListenOptions, type SandboxOptions } from '../../../src/sandbox/index.js';
import { program, run } from '../../support/processes/program.js';
import { openSandbox, PATIENCE } from '../support/partner.js';

const index = program('src/sandbox/index.ts');

describe('listen', () => {
  test('takes any free port of this machine by default, and tells it', async () => {
    await using sandbox = createSandbox();
    const { url, port } = await sandbox.listen();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(port).toBeGreaterThan(0);
  });

  test('rejects clearly when the port is taken, and can then take another', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    const sandbox = createSandbox();
    await expect(sandbox.listen({ port })).rejects.toThrow(
      `127.0.0.1:${port}: the port is taken; port 0 takes any free one`,
    );
    expect((await sandbox.listen()).port).not.toBe(port);
    await sandbox.close();
    await new Promise((resolve) => blocker.close(resolve));
  });

  test('is possible once, and not after close', async () => {
    const { sandbox } = await openSandbox();
    await expect(sandbox.listen()).rejects.toThrow('listens already');
    await sandbox.close();
    await expect(sandbox.listen()).rejects.toThrow('closed');
  });
});

describe('close', () => {
  test('ends stalled requests at once, and may be called again', async () => {
    const partner = await openSandbox();
    partner.sandbox.fail({ fault: 'timeout', times: 3 });
    const stalled = Promise.allSettled([1, 2, 3].map(() => partner.get('/v1/webhooks')));
    await expect.poll(() => partner.sandbox.journal.length, PATIENCE).toBe(3);
    await Promise.all([partner.sandbox.close(), partner.sandbox.close()]);
    await partner.sandbox.close();
    expect((await stalled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('is fine while listening has just begun, and without listening', async () => {
    const sandbox = createSandbox();
    const listening = sandbox.listen();
    await sandbox.close();
    const { url } = await listening;
    await expect(fetch(url)).rejects.toThrow();
    await createSandbox().close();
  });

  test('leaves nothing that keeps a process alive', async () => {
    const ended = await printed(`
      const sandbox = createSandbox({ realTime: true });
      const { url } = await sandbox.listen();
      sandbox.fail({ fault: 'timeout', times: 2 });
      const stalled = [fetch(url), sandbox.fetch(new Request(url))].map((answer) => answer.then(({ type }) => type, () => 'rejected'));
      while (sandbox.journal.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await sandbox.close();
      console.log((await Promise.all(stalled)).join(' '));
    `);
    expect(ended).toBe('rejected error');
  });

  test('ends answers that are held back, and those that trickle', async () => {
    const ended = await printed(`
      const hour = 3_600_000;
      const outcomes = [];
      for (const slow of [false, true]) {
        const sandbox = createSandbox(slow ? {} : { troubles: [{ does: { delayMs: hour } }] });
        const { url } = await sandbox.listen();
        if (slow) sandbox.fail({ fault: 'slow', when: 'before', times: 2, bytesPerSecond: 1 / hour });
        const answers = [fetch(url), sandbox.fetch(new Request(url))].map(async (answer) => {
          try {
            const response = await answer;
            if (!slow) return response.type;
            await response.text();
            return 'read';
          } catch (error) {
            return error.name;
          }
        });
        while (sandbox.journal.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        await new Promise((resolve) => setTimeout(resolve, 100));
        await sandbox.close();
        outcomes.push(...(await Promise.all(answers)));
        outcomes.push(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length);
      }
      console.log(outcomes.join(' '));
    `);
    expect(ended).toBe('TypeError error 0 TypeError TypeError 0');
  });

  test('is not needed for the timers of answers that nobody waits for any more', async () => {
    const ended = await printed(`
      const sandbox = createSandbox({ troubles: [{ does: { delayMs: [0, 0] } }] });
      const { url } = await sandbox.listen();
      const held = createSandbox({ troubles: [{ does: { delayMs: 3_600_000 } }] });
      sandbox.fail({ fault: 'slow', when: 'before', times: 5, bytesPerSecond: 0.001 });
      const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      const controller = new AbortController();
      const { signal } = controller;
      const overHttp = await Promise.all([fetch(url, { signal }), fetch(url, { signal })]);
      const [aborted, cancelled, unread] = await Promise.all([1, 2, 3].map(() => sandbox.fetch(new Request(url, { signal }))));
      const reader = cancelled.body.getReader();
      const reading = [...overHttp.map((response) => response.text()), aborted.text(), reader.read()];
      reading.push(held.fetch(new Request(url, { signal })));
      while (held.journal.length < 1 || timers() < 5) await new Promise((resolve) => setImmediate(resolve));
      await reader.cancel();
      controller.abort();
      await Promise.allSettled(reading);
      while (timers() > 0) await new Promise((resolve) => setImmediate(resolve));
      console.log('none', unread.bodyUsed);
      await sandbox.close();
    `);
    expect(ended).toBe('none false');
  });
});

/** What a program of its own prints that has `createSandbox`; it must end by itself. */
async function printed(body: string): Promise<string> {
  const text = `const { createSandbox } = await import(${JSON.stringify(index)});${body}`;
  return (await run('--eval', [text], { node: ['--input-type=module'] })).stdout.trim();
}

test.each<[unknown, string]>([
  [{ seed: 1.5 }, 'seed'],
  [{ seed: '1' }, 'seed'],
  [{ realTime: 'yes' }, 'realTime'],
  [{ journalLimit: -1 }, 'journalLimit'],
  [{ troubles: [{ does: { delayMs: -1 } }] }, 'troubles.0.does.delayMs'],
  [{ settings: { quota: { requests: 0, perMs: 1 } } }, 'settings.quota.requests'],
  [{ onRequest: 'log' }, 'onRequest'],
  [{ sede: 1 }, 'options must not have sede: did you mean seed?'],
  [null, 'must be an object'],
])('createSandbox(%j) is refused', (options, message) => {
  expect(() => createSandbox(options as SandboxOptions)).toThrow(TypeError);
  expect(() => createSandbox(options as SandboxOptions)).toThrow(message);
});

test.each<[unknown, string]>([
  [null, 'must be an object'],
  [{ prot: 1 }, 'options must not have prot: did you mean port?'],
  [{ port: '80' }, 'port'],
  [{ port: 65_536 }, 'port'],
  [{ host: '' }, 'host'],
])('listen(%j) is refused', async (options, message) => {
  await using sandbox = createSandbox();
  await expect(sandbox.listen(options as ListenOptions)).rejects.toThrow(TypeError);
  await expect(sandbox.listen(options as ListenOptions)).rejects.toThrow(message);
});
