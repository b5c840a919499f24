import { expect, it } from 'vitest';
import { TradeError } from '../../../src/index.js';
import { createTestClient } from '../../../src/sandbox/index.js';

it.each(['garbage', 'truncate'] as const)(
  'a quote that was created, with a response that says no more (%s), is not told as a trade that was applied',
  async (fault) => {
    const { client, sandbox } = createTestClient();
    sandbox.fail({ fault, operation: 'accounts.quotes.create' });
    const body = { from: { symbol: 'USD', type: 'fiat', amount: '10.00' }, to: { symbol: 'BTC', type: 'crypto' } };
    const { quotes } = client.accounts;
    const trading = { reference: 'order 1', accept: () => true, maxRetries: 0 };
    const error: unknown = await quotes.trade(sandbox.fixtures.accountId, body, trading).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TradeError);
    expect(error).toMatchObject({ outcome: 'unknown', cause: { operation: 'accounts.quotes.create' } });
    await client.close();
  },
);
