/** The Chromium that tests and pictures use. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Debian's. The shell is the same engine without windows: `npm run test:page` takes half the time.
 */
const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Path of the program: the variable `CHROMIUM`, or the one that is installed. */
export const CHROMIUM = process.env['CHROMIUM'] ?? INSTALLED.find(existsSync) ?? 'chromium';

/** Starts the browser. `timeout` is in ms. */
export function launchChromium(options: { readonly timeout?: number } = {}): Promise<Browser> {
  return chromium.launch({
    ...options,
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
