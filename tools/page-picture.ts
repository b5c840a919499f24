// `npm run docs:picture`: the picture of the sandbox's page in README.
import { writeFileSync } from 'node:fs';
import { PartnerClient } from '../src/index.js';
import { createSandbox } from '../src/sandbox/index.js';
import { launchChromium } from './chromium.js';

const PICTURE = 'docs/sandbox/sandbox-page.webp';
const SIZE = { width: 1_280, height: 720 };

await using sandbox = createSandbox({ seed: 1, inspect: true, explain: true });
const { url } = await sandbox.listen();
const { userId, accountId } = sandbox.fixtures;

const SIDES = {
  from: { type: 'fiat', symbol: 'USD', amount: '125.50' },
  to: { type: 'crypto', symbol: 'BTC' },
} as const;

/** Reads, a trade whose first response is lost, its webhook, and requests that are rejected. */
async function traffic(): Promise<void> {
  sandbox.webhooks.register({ url: sandbox.inbox.url('shop'), events: ['quote.executed'] });
  await using client = new PartnerClient({ baseUrl: url, ...sandbox.credentials });
  for (let count = 0; count < 8; count += 1) await client.users.get(userId);
  for (const fault of [undefined, 503, undefined, 'reset'] as const) {
    const quote = await client.accounts.quotes.create(accountId, SIDES);
    if (fault !== undefined) {
      sandbox.fail({
        operation: 'accounts.quotes.execute',
        fault,
        when: fault === 'reset' ? 'after' : 'before',
        times: 1,
      });
    }
    await client.accounts.quotes.execute(accountId, quote.id);
    sandbox.clock.advance(2_000);
    await sandbox.webhooks.idle();
  }
  const apiSecret = Buffer.from(sandbox.credentials.apiSecret).toString('base64');
  await using wrong = new PartnerClient({ baseUrl: url, ...sandbox.credentials, apiSecret });
  await wrong.users.get(userId).catch(() => {});
}

const browser = await launchChromium();
const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
await traffic();
await page.goto(`${url}/_sandbox/`);
await page
  .getByRole('link', { name: /2 attempts/ })
  .first()
  .click();
await page.getByText('Nothing was doubled.').waitFor();
await page.getByText('"executing"').waitFor();
const session = await page.context().newCDPSession(page);
const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 17 });
writeFileSync(PICTURE, Buffer.from(data, 'base64'));
await browser.close();
console.log(`${PICTURE}: ${Buffer.byteLength(data, 'base64')} bytes`);
