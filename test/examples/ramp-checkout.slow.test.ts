import { execFile } from 'node:child_process';
import { PartnerClient } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkoutFor, type Order } from '../../examples/ramp-checkout.js';

async function opened() {
  const sandbox = createSandbox();
  const { url } = await sandbox.listen();
  const client = new PartnerClient({ baseUrl: url, ...sandbox.credentials, maxRetries: 0 });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  return { sandbox, client };
}

const order: Order = {
  id: 'order <4711>',
  amount: '100.00',
  currency: 'USD',
  asset: 'BTC',
  country: 'US',
  subdivision: 'CA',
};

describe('the example of a checkout link', () => {
  it('gives a link to a page that shows the order, and the amounts of the preview', async () => {
    const { client } = await opened();
    const checkout = await checkoutFor(client, order);
    if ('rejected' in checkout) throw new Error(checkout.rejected);
    const page = await (await fetch(checkout.url)).text();
    for (const text of ['order &lt;4711&gt;', '100.00', 'https://shop.example/orders/done', 'BTC']) {
      expect(page).toContain(`<td>${text}</td>`);
    }
    const preview = await client.rampQuotes.prospective({
      from_symbol: 'USD',
      from_amount: '100.00',
      to_symbol: 'BTC',
      affiliate_fee_bps: '100',
    });
    expect([checkout.receives.toFixed(), checkout.fees?.toFixed()]).toEqual([
      preview.to.total?.toFixed(),
      preview.from.fee?.toFixed(),
    ]);
  });

  it.each([
    ['too small an amount', { amount: '9.99' }, 'at least 10 USD'],
    ['too great an amount', { amount: '25000.01' }, 'at most 25000 USD'],
    ['a country without the checkout', { country: 'AQ' }, 'country'],
    ['an unknown asset', { asset: 'NONE' }, 'NONE'],
    ['an amount that is no number', { amount: '1,5' }, 'amount: must'],
    ['a country that nobody knows', { country: 'USA' }, 'country: '],
    ['a part of a country without the checkout', { subdivision: 'NY' }, 'subdivision'],
  ])('says why there is none for %s', async (_what, change, reason) => {
    const { client } = await opened();
    const checkout = await checkoutFor(client, { ...order, ...change });
    expect(checkout).toEqual({ rejected: expect.stringContaining(reason) });
    expect(JSON.stringify(checkout)).not.toMatch(/bad_request|ramp\./); // that is for you, not for your user
  });

  it('fails, and rejects no order, when the service is out', async () => {
    const { sandbox, client } = await opened();
    sandbox.fail({ operation: 'ramp.checkout.get', fault: 'html' });
    await expect(checkoutFor(client, order)).rejects.toMatchObject({ response: { status: 502 } });
  });

  it('runs as a program', async () => {
    const run = (...args: string[]) =>
      new Promise<{ code: number; output: string }>((resolve) => {
        const child = execFile('npx', ['tsx', 'examples/ramp-checkout.ts', ...args], (_error, stdout, stderr) => {
          resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
        });
      });
    const [good, small] = await Promise.all([
      run('order-1', '100.00', 'USD', 'BTC', 'US', 'CA'),
      run('order-2', '1', 'USD', 'BTC', 'DE'),
    ]);
    expect(good, good.output).toMatchObject({
      code: 0,
      output: expect.stringMatching(/\nhttp:\/\/127\.0\.0\.1:\d+\/checkout\/\w+\n/),
    });
    expect(small).toMatchObject({ code: 2, output: expect.stringContaining('order-2 is rejected: at least 10 USD') });
  });
});
