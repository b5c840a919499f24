/** The built site in Chromium, with nothing but a server of files behind it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { serve } from 'vitepress';
import { launchChromium } from '../../tools/chromium.js';
import { ROOT } from '../../tools/site/paths.js';

/** Gives a browser and the address of the site, and ends both afterwards. */
export async function withSite(use: (browser: Browser, site: string) => Promise<void>): Promise<void> {
  const { server } = await serve({ root: `${ROOT}/tools/site`, port: 0 });
  if (!server.listening) await once(server, 'listening');
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = await launchChromium();
  try {
    await use(browser, site);
  } finally {
    await browser.close();
    server.close();
  }
}
