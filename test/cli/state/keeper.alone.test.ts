import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Keeper } from '../../../src/sandbox/cli/state/keeper.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A file that is written for as long as the test wants. */
class SlowFile {
  readonly saved: unknown[] = [];
  open = true;
  #finish: (error?: Error) => void = () => {};

  save(pieces: Iterable<string>): Promise<void> {
    this.saved.push(Number([...pieces].join('')));
    return new Promise((resolve, reject) => {
      this.#finish = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

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
  const keeper = new Keeper(file, () => [String(state.value)], note);
  return { file, state, problems, keeper };
}

/** Lets the timers come that are due in so many milliseconds. */
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test('many changes are one save, within a second', async () => {
  const { file, state, keeper } = keep();
  for (state.value = 1; state.value < 50; state.value += 1) keeper.changed();
  await pass(1_000);
  expect(file.saved).toEqual([50]);
});

test('a change in the middle of a save is saved after it, never at the same time', async () => {
  const { file, state, keeper } = keep();
  keeper.changed();
  await pass(1_000);
  state.value = 1;
  keeper.changed();
  await pass(1_000);
  expect(file.saved).toEqual([0]);
  await file.finish();
  expect(file.saved).toEqual([0, 1]);
});

test('a state that takes long to save is saved less often', async () => {
  const { file, keeper } = keep();
  keeper.changed();
  await pass(500);
  await pass(300);
  await file.finish();
  // It took 300 ms from the 500th on: the next may begin 20 times as long after that.
  keeper.changed();
  await pass(5_600);
  expect(file.saved).toHaveLength(1);
  await pass(200);
  expect(file.saved).toHaveLength(2);
});

test('a save on a machine that stood still does not put off the next one for minutes', async () => {
  const { file, keeper } = keep();
  keeper.changed();
  await pass(500);
  await pass(5_000);
  await file.finish();
  keeper.changed();
  await pass(4_900);
  expect(file.saved).toHaveLength(1);
  await pass(200);
  expect(file.saved).toHaveLength(2);
});

test('between the beginnings of two saves is a second at least, though the first took no time', async () => {
  const { file, keeper } = keep();
  keeper.changed();
  await pass(500);
  await file.finish();
  keeper.changed();
  await pass(900);
  expect(file.saved).toHaveLength(1);
  await pass(200);
  expect(file.saved).toHaveLength(2);
});

test('a save that fails is told, and the next change tries again', async () => {
  const { file, problems, keeper } = keep();
  keeper.changed();
  await pass(500);
  await file.finish(new Error('no space left'));
  expect(problems).toEqual(['no space left']);
  keeper.changed();
  await pass(1_000);
  expect(file.saved).toHaveLength(2);
});

test('at the end it waits for the save under way, saves once more and gives the file free', async () => {
  const { file, state, keeper } = keep();
  keeper.changed();
  await pass(500);
  state.value = 1;
  const ended = keeper.end();
  await file.finish();
  expect([file.saved, file.open]).toEqual([[0, 1], true]);
  await file.finish();
  await ended;
  expect(file.open).toBe(false);
});
