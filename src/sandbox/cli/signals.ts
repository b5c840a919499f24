import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndSignal = (typeof SIGNALS)[number];

/** `npx` passes on a Ctrl-C that the terminal has sent here, too: what follows so soon, in milliseconds, is no second wish. */
const ONE_WISH = 300;

/** Settles with the first signal that asks for an end. A later one ends the program at once, with 128 and its number. */
export function endSignal(): Promise<EndSignal> {
  return new Promise((resolve) => {
    let first: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (first === undefined) {
          first = performance.now();
          resolve(signal);
        } else if (performance.now() - first > ONE_WISH) {
          process.exit(128 + constants.signals[signal]);
        }
      });
    }
  });
}
