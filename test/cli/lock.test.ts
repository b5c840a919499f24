import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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
  const lock = await Lock.take(path);
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
    await expect(Lock.take(path)).rejects.toThrow(says);
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
});

test('a lock can be taken again after its release', async () => {
  const path = join(await directory(), 'state.lock');
  (await Lock.take(path)).release();
  expect(existsSync(path)).toBe(false);
  (await Lock.take(path)).release();
});

test('a file system without links is enough', async () => {
  links.work = false;
  onTestFinished(() => {
    links.work = true;
  });
  const folder = await directory();
  const path = join(folder, 'state.lock');
  writeFileSync(path, staleLock());
  const lock = await Lock.take(path);
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  writeFileSync(`${path}2`, `${process.ppid} of-one-that-runs\n`);
  await expect(Lock.take(`${path}2`)).rejects.toThrow(`in use by process ${process.ppid}`);
  lock.release();
  expect(readdirSync(folder)).toEqual(['state.lock2']);
});

describe('a lock from another machine or container, whose process cannot be seen,', () => {
  const elsewhere = '1 of-another elsewhere\n';

  test('is taken over when nobody has touched it for two beats', async () => {
    const path = join(await directory(), 'state.lock');
    writeFileSync(path, elsewhere);
    const begun = performance.now();
    const lock = await Lock.take(path);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(2_000);
    expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    lock.release();
  });

  test('is left alone while it is touched, as the owner of a lock does', async () => {
    const path = join(await directory(), 'state.lock');
    writeFileSync(path, elsewhere);
    const beat = setInterval(() => utimesSync(path, new Date(), new Date()), 300);
    onTestFinished(() => clearInterval(beat));
    await expect(Lock.take(path)).rejects.toThrow('on another machine or in another container: end that one');
    expect(readFileSync(path, 'utf8')).toBe(elsewhere);

    const own = await Lock.take(`${path}2`);
    const { mtimeMs } = statSync(`${path}2`);
    await expect.poll(() => statSync(`${path}2`).mtimeMs, { timeout: 15_000 }).toBeGreaterThan(mtimeMs);
    own.release();
  });
});

test('a lock that another has taken over is no longer held, one that somebody has removed is', async () => {
  const path = join(await directory(), 'state.lock');
  const lock = await Lock.take(path);
  expect(lock.isHeld()).toBe(true);
  rmSync(path);
  expect(lock.isHeld()).toBe(true);
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, '1 of-another elsewhere\n');
  expect(lock.isHeld()).toBe(false);
  lock.release();
  expect(existsSync(path)).toBe(true);
});
