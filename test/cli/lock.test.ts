import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Lock } from '../../src/sandbox/cli/lock.js';
import { directory } from './support/directory.js';

const links = vi.hoisted(() => ({ work: true }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const linkSync: typeof fs.linkSync = (from, to) => {
    if (!links.work) throw Object.assign(new Error('no links here'), { code: 'EPERM' });
    fs.linkSync(from, to);
  };
  return { ...fs, linkSync };
});

/** What a killed process leaves. */
function staleLock(): string {
  return `${spawnSync(process.execPath, ['-e', '']).pid} of-a-killed-one\n`;
}

/** Other processes. */
async function racers(count: number, folder: string): Promise<ChildProcess[]> {
  await build({
    config: false,
    entry: { racer: fileURLToPath(new URL('support/lock-racer.ts', import.meta.url)) },
    outDir: folder,
    format: 'cjs',
    target: 'node20',
    silent: true,
  });
  const children = Array.from({ length: count }, () => fork(join(folder, 'racer.cjs')));
  onTestFinished(async () => {
    const ended = children.map((child) => child.exitCode ?? once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
  });
  return children;
}

/** Asks all at the same time; what each answers. */
async function askAll(children: readonly ChildProcess[], message: { readonly take?: string }): Promise<boolean[]> {
  const answers = children.map((child) => once(child, 'message').then(([answer]) => answer === true));
  for (const child of children) child.send(message);
  return Promise.all(answers);
}

test.each([
  ['one stale lock', false],
  ['a stale lock, which another was killed over while it took it over,', true],
])(
  'of several processes that find %s exactly one has it, and its end leaves nothing',
  {
    timeout: 60_000,
  },
  async (_, isGuarded) => {
    const folder = await directory();
    const children = await racers(4, await directory());
    const stale = staleLock();
    for (let round = 0; round < 150; round += 1) {
      const path = join(folder, `${round}.lock`);
      writeFileSync(path, stale);
      if (isGuarded) writeFileSync(`${path}.lock`, stale);
      const won = await askAll(children, { take: path });
      expect(won.filter((has) => has)).toHaveLength(1);
      expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${children[won.indexOf(true)]?.pid} `));
      await askAll(
        children.filter((_, index) => won[index]),
        {},
      );
      expect(readdirSync(folder)).toEqual([]);
    }
  },
);

test("the end of one process leaves another's lock alone", async () => {
  const path = join(await directory(), 'state.lock');
  const lock = Lock.take(path);
  const others = staleLock();
  writeFileSync(path, others);
  lock.release();
  expect(readFileSync(path, 'utf8')).toBe(others);
});

test('the lock of a process that runs, and one that does not say whose it is, are left alone', async () => {
  const path = join(await directory(), 'state.lock');
  for (const [content, says] of [
    [`${process.ppid} of-one-that-runs\n`, `in use by process ${process.ppid}`],
    ['', 'in use by another process'],
  ] as const) {
    writeFileSync(path, content);
    expect(() => Lock.take(path)).toThrow(says);
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
});

test('a lock can be taken again after its release', async () => {
  const path = join(await directory(), 'state.lock');
  Lock.take(path).release();
  expect(existsSync(path)).toBe(false);
  Lock.take(path).release();
});

test('a file system without links is enough', async () => {
  links.work = false;
  onTestFinished(() => {
    links.work = true;
  });
  const folder = await directory();
  const path = join(folder, 'state.lock');
  writeFileSync(path, staleLock());
  const lock = Lock.take(path);
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  writeFileSync(`${path}2`, `${process.ppid} of-one-that-runs\n`);
  expect(() => Lock.take(`${path}2`)).toThrow(`in use by process ${process.ppid}`);
  lock.release();
  expect(readdirSync(folder)).toEqual(['state.lock2']);
});
