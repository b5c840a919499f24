import { describe, expect, it } from 'vitest';
import { RequestValidationError, ResponseValidationError } from '../../../src/index.js';
import { USER } from '../support/operations.js';
import { idsOfLoop, pageAnswer } from '../support/pages.js';
import * as sample from '../support/samples.js';
import { json, rejection, startService } from '../support/service.js';

const service = startService();
const MODES = ['tolerant', 'strict', 'warn'] as const;

describe('a token that leads nowhere', () => {
  it('equal to the one asked with is refused, not followed for ever', async () => {
    service.answer((_, index) => json({ data: [{ ...sample.webhook, id: `ep_${index}` }], next_page_token: 'same' }));
    const error = await rejection(() => idsOfLoop(service.client().webhooks.list()));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect((error as ResponseValidationError).issues.map(({ path }) => path)).toEqual(['next_page_token']);
    expect(service.received).toHaveLength(2);
    const resumed = service.client().webhooks.list({ page_token: 'same' });
    expect(await rejection(resumed)).toBeInstanceOf(ResponseValidationError);
  });

  it.each(MODES)('that is empty ends the list in %s mode, it does not begin again', async (responseValidation) => {
    service.answer((_, index) => (index === 0 ? pageAnswer([1, 1], 0) : json({ data: [], next_page_token: '' })));
    expect(await idsOfLoop(service.client({ responseValidation }).webhooks.list())).toHaveLength(1);
    expect(service.received).toHaveLength(2);
  });

  it.each(MODES)('is refused in %s mode', async (responseValidation) => {
    service.answer(() => json({ data: [], next_page_token: 'asked' }));
    const list = service.client({ responseValidation }).webhooks.list({ page_token: 'asked' });
    expect(await rejection(() => idsOfLoop(list))).toBeInstanceOf(ResponseValidationError);
    expect(service.received).toHaveLength(1);
  });
});

describe('a list under way', () => {
  it('refuses a filter called __proto__ before it asks for anything', async () => {
    const params = JSON.parse('{"page_size":2,"__proto__":{"page_size":9,"owner":"other"}}');
    const error = await rejection(() => idsOfLoop(service.client().webhooks.list(params)));
    expect(error).toBeInstanceOf(RequestValidationError);
    expect((error as RequestValidationError).issues.map(({ path }) => path)).toEqual(['__proto__']);
    expect(service.received).toHaveLength(0);
  });

  it('keeps params and options on every page, whatever becomes of the caller\u2019s objects', async () => {
    const answer = { ...sample.assetEchoes, data: [sample.assetListing] };
    service.answer((_, index) => json(index < 2 ? { ...answer, next_page_token: `t${index}` } : answer));
    const params = { type: ['crypto', 'fiat'], deposit: true, page_size: 2 };
    const options = { headers: { 'X-Team': 'payments' } };
    const list = service.client().users.assets.list(USER, params, options);
    params.type.push('xstock');
    params.page_size = 99;
    options.headers['X-Team'] = 'other';
    for await (const _ of list) params.deposit = false;
    for (const { query, headers } of service.received) {
      query.delete('page_token');
      expect([...query].sort()).toEqual([
        ['deposit', 'true'],
        ['page_size', '2'],
        ['type', 'crypto'],
        ['type', 'fiat'],
      ]);
      expect(headers['x-team']).toBe('payments');
    }
    expect(service.received).toHaveLength(3);
  });
});
