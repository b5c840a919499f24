import { expect, test } from 'vitest';
import { operations } from '../../../src/resources/operations.js';
import { askSandbox } from '../../../tools/examples/examples.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies, requestOf } from '../support/partner.js';

const partner = directSandbox();
const { sandbox, account } = partner;
const { fixtures } = sandbox;
await askSandbox(sandbox);
const examples = new Map(sandbox.journal.map((entry) => [entry.operation, entry]));
const owner = `account …${fixtures.accountId.slice(-4)}`;
const user = `user …${fixtures.userId.slice(-4)}`;

test.each(
  Object.entries({
    'users.get': 'customer-1000',
    'users.create': 'Ada Byron',
    'users.createHeadless': 'customer-headless',
    'users.update': 'updates customer-1000',
    'users.verifications.submitUrl': `submits verification by URL of ${user}`,
    'accounts.conversionRules.create': 'salaries: USD → BTC',
    'accounts.conversions.create': '20.00 USD → BTC',
    'accounts.deposits.create': `expected deposit 0.5 BTC of ${owner}`,
    'accounts.transfers.create': '5.00 USD → a friend',
    'transfers.cancel': 'cancels 5.00 USD → a friend',
    'accounts.quotes.create': '100.00 USD → BTC',
    'accounts.quotes.execute': /^executes 100\.00 USD → [0-9.]+ BTC$/,
    'accounts.priceTriggerSwaps.create': '100.00 USD → BTC',
    'accounts.priceTriggerSwaps.cancel': 'cancels 100.00 USD → BTC',
    'accounts.onchainQuotes.create': '100 USDC → AAPLx',
    'accounts.wallets.whitelist': `whitelists wallet bc1qar0s… of ${owner}`,
    'reports.settlement.get': /^settlement report [0-9a-f]{8}…$/,
    'funds.withdrawalAddresses.save': `withdrawal address cold wallet of ${owner}`,
    'funds.withdrawalAddresses.validate': 'validates withdrawal address BTC bc1qar0s…',
    'funds.withdrawals.create': '0.01 BTC → cold wallet',
    'funds.withdrawalAddresses.update': `updates withdrawal address cold wallet → vault of ${owner}`,
    'funds.withdrawalAddresses.delete': `deletes withdrawal address vault of ${owner}`,
    'funds.depositAddresses.create': `deposit address XRP of ${owner}`,
    'funds.addresses.delete': `deletes funding address ${fixtures.addressId.slice(0, 8)}…`,
    'accounts.earn.auto.update': `updates auto earn settings of ${owner}`,
    'ramp.checkout.get': '100 EUR → BTC',
    'webhooks.create': 'webhook https://partner.example/hooks',
    'webhooks.update': /^updates webhook https:\/\/hooks\.partner\.example\/v1\/events\/\d+$/,
    'webhooks.test': /^tests webhook https:\/\/hooks\.partner\.example\/v1\/events\/\d+$/,
    'webhooks.delete': /^deletes webhook https:\/\/hooks\.partner\.example\/v1\/events\/\d+$/,
  }),
)('%s has a subject that reads well', (name, expected) => {
  expect(examples.get(name)?.subject).toMatch(typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected);
});

test('every operation has a subject', () =>
  expect(operations.filter(({ name }) => !examples.get(name)?.subject)).toEqual([]));

const subjectOf = async (line: string, body?: unknown) => {
  await partner.send(requestOf(line, body));
  return sandbox.journal.at(-1)?.subject;
};

test('a request that a fault, a signature or a rule stopped has its subject, too', async () => {
  sandbox.fail({ fault: 503 });
  expect(await subjectOf(`POST ${account}/quotes`, bodies.quote)).toBe('100.00 USD → BTC');
  await partner.send(requestOf(`POST ${account}/quotes`, bodies.quote, { 'API-Sign': 'no' }));
  expect(sandbox.journal.at(-1)).toMatchObject({ status: 401, subject: '100.00 USD → BTC' });
  const wrong = { ...bodies.quote, from: { ...bodies.quote.from, amount: '-5' } };
  expect(await subjectOf(`POST ${account}/quotes`, wrong)).toBe('-5 USD → BTC');
});

test('an unknown id is named by its beginning, a broken body by the operation, an unknown path by nothing', async () => {
  expect(await subjectOf(`POST ${account}/quotes/3f2a0000-dead/execute`)).toBe('executes quote 3f2a0000…');
  expect(await subjectOf(`POST ${account}/quotes`, '{"from":')).toBe(`quote of ${owner}`);
  expect(await subjectOf('GET /v1/nowhere')).toBeUndefined();
});

test('a subject is short, and shows no query and no credentials of a URL', async () => {
  const url = 'https://me:s3cret@receiver.example/hooks?token=s3cret#s3cret';
  expect(await subjectOf('POST /v1/webhooks', { url })).toBe('webhook https://receiver.example/hooks');
  expect(await subjectOf('POST /v1/users/headless', { external_reference: 'x'.repeat(10_000) })).toHaveLength(121);
  await partner.send(
    requestOf(
      'POST /v1/users/headless',
      { external_reference: partner.credentials.apiSecret },
      {
        'API-Sign': 'no',
      },
    ),
  );
  expect(sandbox.journal.at(-1)?.subject).toBe('[secret]');
});

test('input of any form has a subject', async () => {
  for (const value of [null, 7, [[]], {}, 'a', { asset: { asset: { asset: 1 } } }]) {
    const names = ['from', 'to', 'trade', 'asset', 'amount', 'key', 'new_key', 'full_name', 'address', 'url', 'name'];
    for (const body of [value, Object.fromEntries(names.map((name) => [name, value]))])
      expect(await subjectOf(`POST ${account}/quotes`, body)).toEqual(expect.any(String));
  }
});
