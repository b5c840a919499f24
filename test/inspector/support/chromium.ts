import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

/** Debian's name of it. */
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const LAUNCH_TIMEOUT_MS = 50_000;

/** Launches that are tried: a machine that is short of memory or time may kill one. */
const LAUNCHES = 2;

/** As `expect.poll` waits: it ends what hangs, and measures nothing. */
const WAIT_TIMEOUT_MS = 45_000;

async function launch(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  for (let tried = 1; ; tried += 1) {
    try {
      return await chromium.launch({ executablePath: EXECUTABLE, args, timeout: LAUNCH_TIMEOUT_MS });
    } catch (cause) {
      const how = `${EXECUTABLE} does not start: is it installed? Another is named by the variable CHROMIUM.`;
      if (tried === LAUNCHES) throw new Error(how, { cause });
    }
  }
}

/** A browser for the tests of a file. One that has died is started again. */
export class Chromium {
  #browser: Browser | undefined;

  async running(): Promise<Browser> {
    if (this.#browser?.isConnected() === true) return this.#browser;
    const browser = await launch();
    this.#browser = browser;
    return browser;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
  }

  /** Uses a new page. If the browser dies meanwhile, then `work` begins anew with another page, once. */
  async use(work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}): Promise<void> {
    if (await this.#isDone(work, options)) return;
    console.warn(`${EXECUTABLE} has died. The test begins anew.`);
    if (!(await this.#isDone(work, options))) throw new Error(`${EXECUTABLE} has died twice in this test.`);
  }

  /** Returns false if the browser, or the process of the page, has died. */
  async #isDone(work: (page: Page) => Promise<void>, options: BrowserContextOptions): Promise<boolean> {
    const browser = await this.running();
    let hasCrashed = false;
    try {
      const page = await browser.newPage(options);
      page.setDefaultTimeout(WAIT_TIMEOUT_MS);
      page.on('crash', () => {
        hasCrashed = true;
      });
      try {
        await work(page);
      } finally {
        await page.close();
      }
      return true;
    } catch (error) {
      if (browser.isConnected() && !hasCrashed) throw error;
      return false;
    }
  }
}

/** Chromium for the tests of this file: it starts before them, and ends after them. */
export function chromiumOfFile(): Chromium {
  const browser = new Chromium();
  beforeAll(() => browser.running(), LAUNCHES * LAUNCH_TIMEOUT_MS + 10_000);
  afterAll(() => browser.close());
  return browser;
}
