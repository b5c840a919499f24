import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until it holds, at most 45 s: the machine may be busy. (Not `expect.poll`: that does not work in concurrent tests.) */
export async function until(holds: () => boolean | Promise<boolean>, what = String(holds)): Promise<void> {
  const end = performance.now() + 45_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It did not come to this within 45 s: ${what}`);
    await sleep(5);
  }
}

/** Whether the promise has been settled by now. */
export function watch(promise: unknown): { settled: boolean } {
  const state = { settled: false };
  const note = () => {
    state.settled = true;
  };
  Promise.resolve(promise).then(note, note);
  return state;
}

/** A promise that is settled from outside. */
export function gate(): {
  readonly opened: Promise<void>;
  readonly open: () => void;
  readonly fail: (error: Error) => void;
} {
  let open: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  const opened = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}
