import { spawn } from 'node:child_process';
import { reasonOf } from './output/failure.js';

/**
 * The program that opens a URL in the browser. `start` takes its first quoted argument as a title.
 */
const OPENERS: { readonly [Platform in NodeJS.Platform]?: readonly [string, ...string[]] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
};

/** Opens a URL in the browser. If that fails, `report` is called with the reason. */
export function openPage(url: string, report: (problem: string) => void): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const fail = (why: string): void => report(`the browser cannot be opened (${why}): open ${url} yourself`);
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true });
  child.once('error', (error) => fail(reasonOf(error)));
  child.once('exit', (code) => {
    if (code !== 0) fail(`${program} ended with ${code}`);
  });
  child.unref();
}
