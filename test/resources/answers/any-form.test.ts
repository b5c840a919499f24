import { expect, it } from 'vitest';
import { ACCOUNT } from '../support/operations.js';
import { startService } from '../support/service.js';

const service = startService();

it.each<[string, unknown, unknown[], string | undefined]>([
  ['a list', { data: ['card', 5, { id: 'sepa' }], next_page_token: 'next' }, ['card', 5, { id: 'sepa' }], 'next'],
  ['an object with one list', { data: { methods: ['card'], next_page_token: 'next' } }, ['card'], 'next'],
  ['an object with two lists', { data: { in: ['card'], out: [] } }, [{ in: ['card'], out: [] }], undefined],
  ['an object without a list', { data: { card: { fee: 1.5 } } }, [{ card: { fee: 1.5 } }], undefined],
  ['a string', { data: 'card', next_page_token: null }, ['card'], undefined],
])('a list of which no form is known takes %s as data, and loses nothing', async (_, body, items, token) => {
  service.answerJson(body);
  const page = await service.client().ramp.paymentMethods.list();
  expect([page.items, page.nextPageToken]).toEqual([items, token]);
});

it.each(['0.5', 0.5, null, { symbol: 'BTC', type: 'crypto', amount: '0.5' }, ['0.5']])(
  'a withdrawal method keeps %j in the place of each member whose form is not known',
  async (given) => {
    const method = { method_id: 'm', network: given, fee: given, minimum: given, maximum: given, later: given };
    service.answerJson({ data: [method] });
    expect(await service.client().funds.withdrawalMethods.list(ACCOUNT, 'BTC').toArray({ limit: 2 })).toEqual([method]);
  },
);
