import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Keeper } from '../../../src/sandbox/cli/state/keeper.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
const folder = mkdtempSync(join(tmpdir(), 'keeper-'));
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file that is written for as long as the test wants. */
class SlowFile {
  readonly link = { id: 'log', line: 0 };
  readonly logPath = join(folder, 'log');
  readonly saved: unknown[] = [];
  open = true;
  #finish: (error?: Error) => void = () => {};

  save(pieces: Iterable<string>): Promise<void> {
    this.saved.push(Number([...pieces].join('')));
    return new Promise((resolve, reject) => {
      this.#finish = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

  checkOwner(): void {}

  async finish(error?: Error): Promise<void> {
    this.#finish(error);
    await sleep(0);
  }

  close(): void {
    this.open = false;
  }
}

function keep() {
  const [file, state, problems] = [new SlowFile(), { value: 0 }, [] as string[]];
  const note = (problem: string) => problems.push(problem);
  const keeping = {
    keepBy: () => {},
    pieces: () => [String(state.value)],
    saved: () => {},
    endScenarios: () => [],
  };
  const keeper = new Keeper(file, { keeping, more: () => ({}) }, { isDurable: false, report: note });
  return { file, state, problems, keeper, change: () => keeper.append([]) };
}

/** Lets the timers come that are due in so many milliseconds. */
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test('many changes are one save, within a second', async () => {
  const { file, state, change } = keep();
  for (state.value = 1; state.value < 50; state.value += 1) change();
  await pass(1_000);
  expect(file.saved).toEqual([50]);
});

test('a change in the middle of a save is saved after it, never at the same time', async () => {
  const { file, state, change } = keep();
  change();
  await pass(1_000);
  state.value = 1;
  change();
  await pass(1_000);
  expect(file.saved).toEqual([0]);
  await file.finish();
  expect(file.saved).toEqual([0, 1]);
});

test('a state that takes long to save is saved less often', async () => {
  const { file, change } = keep();
  change();
  await pass(500);
  await pass(300);
  await file.finish();
  // It took 300 ms from the 500th on: the next may begin 20 times as long after that.
  change();
  await pass(5_600);
  expect(file.saved).toHaveLength(1);
  await pass(200);
  expect(file.saved).toHaveLength(2);
});

test('a save on a machine that stood still does not put off the next one for minutes', async () => {
  const { file, change } = keep();
  change();
  await pass(500);
  await pass(5_000);
  await file.finish();
  change();
  await pass(4_900);
  expect(file.saved).toHaveLength(1);
  await pass(200);
  expect(file.saved).toHaveLength(2);
});

test('between the beginnings of two saves is a second at least, though the first took no time', async () => {
  const { file, change } = keep();
  change();
  await pass(500);
  await file.finish();
  change();
  await pass(900);
  expect(file.saved).toHaveLength(1);
  await pass(200);
  expect(file.saved).toHaveLength(2);
});

test('a save that fails is told once, and is tried again each second', async () => {
  const { file, problems, change } = keep();
  change();
  await pass(500);
  await file.finish(new Error('no space left'));
  expect(problems).toEqual(['no space left']);
  await pass(1_000);
  expect(file.saved).toHaveLength(2);
  await file.finish(new Error('no space left'));
  await pass(1_000);
  expect([file.saved.length, problems]).toEqual([3, ['no space left']]);
});

test('at the end it waits for the save under way, saves once more and gives the file free', async () => {
  const { file, state, keeper, change } = keep();
  change();
  await pass(500);
  state.value = 1;
  const ended = keeper.end();
  await file.finish();
  expect([file.saved, file.open]).toEqual([[0, 1], true]);
  await file.finish();
  await ended;
  expect(file.open).toBe(false);
});
