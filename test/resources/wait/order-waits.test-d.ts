import { describe, expectTypeOf, it } from 'vitest';
import type * as sdk from '../../../src/index.js';

declare const client: sdk.PartnerClient;
const { priceTriggerSwaps, onchainQuotes } = client.accounts;

describe('what was waited for', () => {
  it('is of a status at which the wait ends', async () => {
    const swap = await priceTriggerSwaps.waitFor('a', 'i');
    expectTypeOf(swap.status).toEqualTypeOf<'completed' | 'cancelled'>();
    expectTypeOf(swap).toExtend<sdk.PriceTriggerSwap>();
    const quote = await onchainQuotes.waitFor('a', 'q', { timeout: 5 });
    expectTypeOf(quote.status).toEqualTypeOf<'offered' | 'executed' | 'expired' | 'failed'>();
    expectTypeOf(quote).toExtend<sdk.OnchainQuote>();
  });

  it('may be of what until names, and is of any status with a function', async () => {
    const swap = await priceTriggerSwaps.waitFor('a', 'i', { until: 'active' });
    expectTypeOf(swap.status).toEqualTypeOf<'active' | 'completed' | 'cancelled'>();
    const quote = await onchainQuotes.waitFor('a', 'q', { until: ['executing'] });
    expectTypeOf(quote.status).toEqualTypeOf<'executing' | 'executed' | 'expired' | 'failed'>();
    const any = await onchainQuotes.waitFor('a', 'q', { until: ({ status }) => status !== 'pending' });
    expectTypeOf(any).toEqualTypeOf<sdk.OnchainQuote>();
  });
});

describe('the order of a price-trigger swap', () => {
  const [base, quote] = [
    { symbol: 'BTC', type: 'crypto' },
    { symbol: 'USD', type: 'fiat' },
  ];
  const trade = { from: { ...quote, amount: '1' }, to: base };

  it('has exactly one amount and exactly one price', () => {
    const order = (body: sdk.PriceTriggerSwapCreateBody) => body;
    order({ trade, when: { base, quote, drops_to: '1' } });
    order({ trade: { ...trade, fee: { bps: 5 } }, when: { base, quote, rises_to: '1', drops_to: undefined } });
    // @ts-expect-error: no price
    order({ trade, when: { base, quote } });
    // @ts-expect-error: two prices
    order({ trade, when: { base, quote, drops_to: '1', rises_to: '2' } });
    // @ts-expect-error: no amount
    order({ trade: { from: quote, to: base }, when: { base, quote, drops_to: '1' } });
    // @ts-expect-error: two amounts
    order({ trade: { ...trade, to: { ...base, amount: '1' } }, when: { base, quote, drops_to: '1' } });
    // @ts-expect-error: a number is no price
    order({ trade, when: { base, quote, drops_to: 1 } });
  });

  it('is cancelled with nothing to show for it', () => {
    expectTypeOf(priceTriggerSwaps.cancel('a', 'i')).resolves.toEqualTypeOf<void>();
    expectTypeOf(
      priceTriggerSwaps.create('a', { trade, when: { base, quote, drops_to: '1' } }),
    ).resolves.toEqualTypeOf<sdk.CreatedPriceTriggerSwap>();
  });
});

it('a swap asset and its query take members that nobody knows', async () => {
  const page = await client.swap.assets.list({ page_size: 5, newer: 'x' });
  expectTypeOf(page.items[0]?.['anything']).toEqualTypeOf<unknown>();
  const rates = await client.assets.rates.list('crypto', 'BTC', { interval: 'PT1H' });
  expectTypeOf(rates.items[0]?.price).toEqualTypeOf<sdk.Decimal | undefined>();
  expectTypeOf(rates.meta.interval).toEqualTypeOf<sdk.AssetRateInterval | undefined>();
});
