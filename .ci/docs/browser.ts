/** The built site in Chromium, with nothing but a server of files behind it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../tools/chromium.js';
import { SITE } from '../../tools/site/paths.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Gives a browser and the address of the site, and ends both afterwards. */
export async function withSite(use: (browser: Browser, site: string) => Promise<void>): Promise<void> {
  const server = createServer(({ url = '/' }, answer) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname));
    const file = join(SITE, path.endsWith('/') ? `${path}index.html` : path);
    try {
      const body = readFileSync(file);
      answer.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = await launchChromium();
  try {
    await use(browser, site);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
