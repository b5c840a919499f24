import { beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type SandboxSnapshot } from '../../../src/sandbox/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies, whitelisting } from '../support/partner.js';

let good: SandboxSnapshot;
beforeAll(async () => {
  const partner = directSandbox();
  const { sandbox, account } = partner;
  const { accountId, quoteId } = sandbox.fixtures;
  sandbox.webhooks.register({ url: 'https://partner.example/hook' });
  await partner.call(whitelisting(partner));
  await partner.post(`${account}/quotes`, bodies.quote, { 'Idempotency-Key': crypto.randomUUID() });
  await partner.post(`${account}/quotes/${quoteId}/execute`);
  sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '1' });
  const from = { type: 'balance', symbol: 'BTC', amount: '0.5' } as const;
  sandbox.accounts.convert(accountId, { from, to: { type: 'bank', symbol: 'USD' } });
  good = sandbox.snapshot();
});

/** What a path leads through: an object, or a list by its indexes. */
type Members = Record<string, unknown>;

/** The snapshot with another value at a path; without a value nothing is there any more. */
function edited(path: string, value?: unknown): SandboxSnapshot {
  const whole = { snapshot: structuredClone(good) };
  const names = ['snapshot', ...(path === '' ? [] : path.split('.'))];
  const last = names.pop() ?? '';
  const owner = names.reduce<Members>((inner, name) => inner[name] as Members, whole);
  expect(owner).toHaveProperty([last]);
  owner[last] = value;
  return whole.snapshot;
}

test('what was not edited is taken', () => {
  expect(() => createSandbox({ snapshot: edited('version', 1) })).not.toThrow();
});

/** Where what is put (or nothing), and the place that the error names where it is another. */
const edits: [what: string, path: string, value?: unknown, place?: string][] = [
  ['null', '', null, 'snapshot'],
  ['text', '', 'snapshot', 'snapshot'],
  ['a list', '', [], 'snapshot'],
  ['another format', 'format', 'sandbox'],
  ['no version', 'version'],
  ['a seed with a fraction', 'seed', 1.5],
  ['a generation below 0', 'generation', -1],
  ['no clock', 'clock'],
  ['a time as text', 'clock.now', '2026'],
  ['a time too far', 'clock.now', 1e18],
  ['a task of an unknown kind', 'clock.agenda.1.task.kind', 'sleep'],
  ['a task without its id', 'clock.agenda.0.task.id'],
  ['a task without its time', 'clock.agenda.0.at'],
  ['no fixtures', 'fixtures'],
  ['a fixture that is no text', 'fixtures.userId', 5],
  ['a fixture of two lines', 'fixtures.userId', 'x\nexport EVIL=1'],
  ['a fixture that moves the cursor', 'fixtures.otp', '\u001b[2J'],
  ['no one-time password', 'fixtures.otp'],
  ['an API key of two lines', 'keys.0.apiKey', 'x\nexport EVIL=1'],
  ['an API key with a space', 'keys.0.apiKey', 'pk x'],
  ['no API key', 'keys', []],
  ['a secret that is not base64', 'keys.0.apiSecret', '%&'],
  ['a nonce with a sign', 'keys.0.lastNonce', '-5'],
  ['a remembered answer without a status', 'idempotency.0.1.answer.status'],
  ['a user without accounts', 'records.users.0.1.user.accounts'],
  ['a user that is null', 'records.users.1.1.user', null],
  ['a verification without a status', 'records.verifications.2.1.verification.status'],
  ['no accounts', 'accounts'],
  ['an amount that is a number', 'accounts.0.holdings.0.total', 12.5],
  ['an amount in exponent form', 'accounts.0.holdings.0.total', '1e5'],
  ['a balance below 0', 'accounts.0.holdings.3.total', '-1'],
  ['less than is claimed', 'accounts.0.holdings.0.total', '0.1', 'accounts.0.holdings.0.held'],
  ['claims that are not held', 'accounts.0.holdings.0.held', '0'],
  ['claims on an asset that is not there', 'accounts.0.holdings', []],
  ['an unknown asset', 'accounts.0.holdings.2.asset', 'crypto:NONE'],
  ['a quote in an unknown state', 'accounts.0.records.quotes.0.1.quote.status', 'done'],
  ['a quote without a price', 'accounts.0.records.quotes.1.1.quote.rate.price'],
  [
    'a quote of an unknown asset',
    'accounts.0.records.quotes.1.1.quote.to.symbol',
    'NONE',
    'accounts.0.records.quotes.1.1.quote.to',
  ],
  ['a quote that gives less than nothing', 'accounts.0.records.quotes.1.1.quote.from.amount', '-1'],
  ['a quote whose time is no time', 'accounts.0.records.quotes.1.1.quote.expires_at', 'soon'],
  ['a quote that executes without a claim', 'accounts.0.records.quotes.0.1.held', false],
  ['a quote that has a claim without being executed', 'accounts.0.records.quotes.1.1.held', true],
  ['a conversion in an unknown state', 'accounts.0.records.onDemandConversions.7.1.conversion.status', 'done'],
  ['a conversion of an unknown asset', 'accounts.0.records.onDemandConversions.320.1.money.to', 'fiat:NONE'],
  ['a wallet that is not there', 'accounts.0.records.wallets.0.1.wallet'],
  ['a wallet in an unknown state', 'accounts.0.records.wallets.0.1.wallet.status', 'done'],
  ['a bank link without an id', 'accounts.0.records.bankLinks.0.1.bank_link_id'],
  ['a limit that is no decimal', 'accounts.0.records.limits.0.1.period_limits.0.remaining', 'all'],
  ['an entry of an unknown asset', 'accounts.0.records.entries.0.1.receive.asset', 'fiat:NONE'],
  ['an entry whose balance is a number', 'accounts.0.records.entries.0.1.receive.balance', 5],
  ['an entry without its place', 'accounts.0.records.entries.0.1.sequence'],
  ['a book that is no list', 'books.fees', {}],
  ['a sum that is a number', 'books.outside.0.1', 5],
  ['a webhook without an address', 'webhooks.subscriptions.0.subscription.url'],
  ['a delivery in an unknown state', 'webhooks.deliveries.0.status', 'lost'],
];

describe('a snapshot that was edited by hand is refused, with the place', () => {
  test.each(edits)('%s', (_, path, value, place = path) => {
    const snapshot = edited(path, value);
    expect(() => createSandbox({ snapshot })).toThrow(TypeError);
    expect(() => createSandbox({ snapshot })).toThrow(`snapshot is not the data of a sandbox: ${place}: `);
  });

  test('one of another version says what to do', () => {
    const message = 'the snapshot has version 2, this package reads version 1 alone: make a new one with `snapshot()`';
    const snapshot = edited('version', 2);
    expect(() => createSandbox({ snapshot })).toThrow(new TypeError(`createSandbox: ${message}`));
    expect(() => createSandbox().restore(snapshot)).toThrow(new TypeError(`restore: ${message}`));
  });

  test.each(['prices', 'quotas', 'assetStatuses', 'records'])('one without %s', (member) => {
    const { [member]: _, ...snapshot } = good;
    expect(() => createSandbox({ snapshot: snapshot as SandboxSnapshot })).toThrow(
      `snapshot is not the data of a sandbox: ${member}: `,
    );
  });

  test.each(['another', 'x\nexport EVIL=1\n#'])('a fixture of the name %j', (name) => {
    const snapshot = edited('fixtures', { ...(good['fixtures'] as object), [name]: 'x' });
    expect(() => createSandbox({ snapshot })).toThrow(/a sandbox: fixtures: must be exactly the names .*$/);
  });

  test('also when it is not even JSON', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const snapshot of [cyclic, { seed: 1n }, () => 'snapshot'] as unknown[]) {
      expect(() => createSandbox({ snapshot: snapshot as SandboxSnapshot })).toThrow(TypeError);
    }
  });

  test('and no secret is in the message', () => {
    const create = () => createSandbox({ snapshot: edited('keys.0.apiSecret', 'my secret!') });
    expect(create).toThrow('keys.0.apiSecret');
    expect(create).not.toThrow('my secret');
  });
});
