import { expect, test } from 'vitest';
import { openSandbox } from '../support/partner.js';

test('an operation may be named by the end of its name, if it is the only one', async () => {
  const partner = await openSandbox();
  const { faults, fixtures } = partner.sandbox;
  faults.add({ operation: 'quotes.get', fault: 503 });
  expect((await partner.get('/v1/webhooks')).status).toBe(200);
  expect((await partner.get(`${partner.account}/quotes/${fixtures.quoteId}`)).status).toBe(503);
  expect(() => faults.add({ operation: 'get', fault: 503 })).toThrow('there is no operation "get"');
  expect(() => faults.add({ operation: 'otes.get', fault: 503 })).toThrow('there is no operation');
});

test.each([
  ['quotes.gte', 'accounts.quotes.get'],
  ['accounts.qoutes.create', 'accounts.quotes.create'],
  ['webhooks.creat', 'webhooks.create'],
])('a misspelt operation is answered with the one that was meant: %s', async (operation, meant) => {
  const { faults } = (await openSandbox()).sandbox;
  expect(() => faults.add({ operation, fault: 503 })).toThrow(
    `there is no operation "${operation}": did you mean ${meant}?`,
  );
});

test('if several operations end like the misspelt one, all are listed and none is guessed', async () => {
  const { faults } = (await openSandbox()).sandbox;
  expect(() => faults.add({ operation: 'transactions.lst', fault: 503 })).toThrow(
    /no operation "transactions\.lst"\. Known: .*accounts\.portfolio\.transactions\.list .*funds\.transactions\.list /,
  );
});
