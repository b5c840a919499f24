import { describe, expect, expectTypeOf, it } from 'vitest';
import { type RampQuote, ResponseValidationError } from '../../../src/index.js';
import { invoke, operation, withMember } from '../support/operations.js';
import { rejection, startService } from '../support/service.js';

const service = startService();
const op = operation('rampQuotes.prospective');

const priceOf = async (asset: unknown, responseValidation: 'tolerant' | 'strict') => {
  service.answerJson(withMember(op.answer, 'data.unit_price.asset', asset));
  return ((await invoke(op, service.client({ responseValidation }))) as RampQuote).unit_price;
};

describe('an asset of a unit price, whose form is not documented', () => {
  it.each([
    ['with symbol and type alone', { symbol: 'BTC', type: 'crypto' }],
    ['with another member', { symbol: 'BTC', type: 'crypto', name: 'Bitcoin', network: { id: 1 } }],
    ['with no known member', { ticker: 'BTC' }],
    ['that is a plain ticker', 'BTC'],
  ])('%s is read, in strict mode, too', async (_what, asset) => {
    for (const mode of ['tolerant', 'strict'] as const) {
      const { asset: read, unit_price: price } = await priceOf(asset, mode);
      expect(read).toEqual(asset);
      expect(price.toFixed()).toBe('61234.1');
    }
  });

  it.each([
    [5, 'data.unit_price.asset'],
    [['BTC'], 'data.unit_price.asset'],
    [{ symbol: 5 }, 'data.unit_price.asset.symbol'],
  ])('%j is refused', async (asset, path) => {
    const error = await rejection(() => priceOf(asset, 'tolerant'));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect((error as ResponseValidationError).issues.map((issue) => issue.path)).toEqual([path]);
  });

  it('has a type that says so', () => {
    type Asset = RampQuote['unit_price']['asset'];
    expectTypeOf<string>().toExtend<Asset>();
    expectTypeOf<{ symbol: string; type: string }>().toExtend<Asset>();
    expectTypeOf<Extract<Asset, object>['name']>().toEqualTypeOf<string | undefined>();
  });
});
