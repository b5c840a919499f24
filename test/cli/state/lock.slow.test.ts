import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Lock } from '../../../src/sandbox/cli/state/lock.js';
import { program } from '../../support/processes/program.js';
import { directory } from '../support/directory.js';

const racer = program('test/cli/support/lock-racer.ts');
const ELSEWHERE = '1 of-another elsewhere\n';

const lockPath = async (): Promise<string> => join(await directory(), 'state.lock');

/** The lock of a process that was killed. */
const staleLock = (): string => `${spawnSync(process.execPath, ['-e', '']).pid} of-a-killed-one\n`;

/** Starts other processes. */
async function racers(count: number): Promise<ChildProcess[]> {
  const children = Array.from({ length: count }, () => fork(racer));
  onTestFinished(async () => {
    const ended = children.map((child) => child.exitCode ?? once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ended);
  });
  return children;
}

/** Asks all at the same time, and returns the answer of each. */
async function askAll(children: readonly ChildProcess[], message: { readonly take?: string }): Promise<boolean[]> {
  const answers = children.map((child) => once(child, 'message').then(([answer]) => answer === true));
  for (const child of children) child.send(message);
  return Promise.all(answers);
}

test('of several processes that find a stale lock exactly one has it, and its end leaves nothing', async () => {
  const folder = await directory();
  const children = await racers(4);
  const stale = staleLock();
  for (let round = 0; round < 150; round += 1) {
    const path = join(folder, `${round}.lock`);
    writeFileSync(path, stale);
    const won = await askAll(children, { take: path });
    expect(won.filter((has) => has)).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${children[won.indexOf(true)]?.pid} `));
    const winners = children.filter((_, index) => won[index]);
    await askAll(winners, {});
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('the lock of a process that runs, and one that does not say whose it is, are left alone', async () => {
  const path = await lockPath();
  for (const [content, says] of [
    [`${process.ppid} of-one-that-runs\n`, `in use by process ${process.ppid}`],
    ['', 'in use by another process'],
  ] as const) {
    writeFileSync(path, content);
    await expect(Lock.take(path)).rejects.toThrow(says);
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
});

test('a lock from another machine or container is taken over if nobody touches it for two beats', async () => {
  const path = await lockPath();
  writeFileSync(path, ELSEWHERE);
  const begun = performance.now();
  const lock = await Lock.take(path);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(2_000);
  expect(readFileSync(path, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  lock.release();
});

test('a lock from another machine or container is left alone while it is touched, as its owner does', async () => {
  const path = await lockPath();
  writeFileSync(path, ELSEWHERE);
  const beat = setInterval(() => utimesSync(path, new Date(), new Date()), 300);
  onTestFinished(() => clearInterval(beat));
  await expect(Lock.take(path)).rejects.toThrow('on another machine or in another container: end that one');
  expect(readFileSync(path, 'utf8')).toBe(ELSEWHERE);

  const own = await Lock.take(`${path}2`);
  const { mtimeMs } = statSync(`${path}2`);
  await expect.poll(() => statSync(`${path}2`).mtimeMs).toBeGreaterThan(mtimeMs);
  own.release();
});

test('a lock is held until another process has taken it over, also if it was removed by hand', async () => {
  const path = await lockPath();
  const lock = await Lock.take(path);
  rmSync(path);
  expect(lock.isHeld()).toBe(true);
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, ELSEWHERE);
  expect(lock.isHeld()).toBe(false);
  lock.release();
  expect(readFileSync(path, 'utf8')).toBe(ELSEWHERE);
});
