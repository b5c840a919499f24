import { afterAll, beforeAll } from 'vitest';

/** Keeps a warning of Node that the tests of a file bring about out of their output. Others are printed. */
export function silenceWarning(text: string): void {
  const { emitWarning } = process;
  beforeAll(() => {
    process.emitWarning = ((...given: Parameters<typeof emitWarning>) => {
      if (!String(given[0]).includes(text)) Reflect.apply(emitWarning, process, given);
    }) as typeof emitWarning;
  });
  afterAll(() => {
    process.emitWarning = emitWarning;
  });
}
