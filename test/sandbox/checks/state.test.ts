import { describe, expect, test, vi } from 'vitest';
import { Service } from '../../../src/sandbox/assembly.js';
import { Money } from '../../../src/sandbox/core/money/money.js';
import { createSandbox, type Sandbox, type SandboxCheck, type TroubleOptions } from '../../../src/sandbox/index.js';
import { type BooksCheck, checkBooks } from '../../../src/sandbox/kinds/registry/books.js';
import type { CheckRule, Finding } from '../../../src/sandbox/service/checks/check.js';
import { checks, MONEY_RULES } from '../../../src/sandbox/service/checks/run-checks.js';
import { WEBHOOK_RULES } from '../../../src/sandbox/service/checks/webhooks.js';
import type { DeliveryAttempt } from '../../../src/sandbox/webhooks/delivery/delivery.js';

const checkOf = (sandbox: Sandbox, id: string): SandboxCheck => {
  const found = sandbox.checks.run().find((check) => check.id === id);
  if (found === undefined) throw new Error(`there is no check ${id}`);
  return found;
};
const statusOf = (sandbox: Sandbox, id: string) => checkOf(sandbox, id).status;
const NO_BOOKS = { isBalanced: true, assets: [], negative: [], unexplained: [] };
const judgedBy = (
  rules: readonly CheckRule[],
  id: string,
  service: Service,
  books: BooksCheck = NO_BOOKS,
): Finding | undefined =>
  rules.find((rule) => rule.id === id)?.judge({ requests: [], groups: [], isKnown: false, books, service });
const judgedBooks = (id: string, service: Service): Finding | undefined =>
  judgedBy(MONEY_RULES, id, service, checkBooks(service.state, service.firstTotals));

const failuresOf = (service: Service) =>
  (checks.methods.run.run(service) as SandboxCheck[]).flatMap(({ failure = [] }) => failure);

/** A sandbox with a webhook that leads to its inbox. */
function withWebhook(): Sandbox {
  const sandbox = createSandbox({ inspect: true });
  sandbox.webhooks.register({ url: sandbox.inbox.url('own'), events: ['quote.executed'] });
  return sandbox;
}

async function executeQuote(sandbox: Sandbox): Promise<void> {
  const { accountId, quoteId } = sandbox.fixtures;
  await sandbox.requests.send({ method: 'POST', path: `/v1/accounts/${accountId}/quotes/${quoteId}/execute` });
  await sandbox.clock.advance(2_000, { deliver: true });
}

describe('the books', () => {
  test('pass in a new sandbox, and fail if money appears', () => {
    const service = new Service({});
    const { state } = service;
    expect(judgedBooks('books', service)?.status).toBe('passed');
    const { sums } = state.books.exchange;
    sums.set('fiat:USD', (sums.get('fiat:USD') ?? new Money(0)).plus('0.5'));
    expect(judgedBooks('books', service)).toEqual({
      status: 'failed',
      evidence: [{ text: 'The sum of fiat:USD has changed by 0.5.' }],
    });
    expect(failuresOf(service)).toEqual(['1 sum of the ledger is wrong']);
    sums.set('fiat:EUR', (sums.get('fiat:EUR') ?? new Money(0)).plus('0.5'));
    expect(failuresOf(service)).toEqual(['2 sums of the ledger are wrong']);
    service.close();
  });

  test('no balance is below 0, unless the ledger is wrong', () => {
    const service = new Service({});
    expect(judgedBooks('balances', service)?.status).toBe('passed');
    const [account = never()] = service.state.accounts.values();
    const [holding = never(), second = never()] = account.holdings.list();
    account.holdings.pay({ asset: holding.asset, amount: holding.total.plus(1) });
    expect(judgedBooks('balances', service)).toMatchObject({
      status: 'failed',
      evidence: [{ resource: { kind: 'accounts', id: account.id } }],
    });
    expect(failuresOf(service)).toContain('1 balance is below 0');
    account.holdings.pay({ asset: second.asset, amount: second.total.plus(1) });
    expect(failuresOf(service)).toContain('2 balances are below 0');
    service.close();
  });
});

describe('the event of an executed quote', () => {
  test('was delivered', async () => {
    await using sandbox = withWebhook();
    expect(statusOf(sandbox, 'executed_quotes')).toBe('unseen');
    await executeQuote(sandbox);
    expect(statusOf(sandbox, 'executed_quotes')).toBe('passed');
  });

  test('was heard by no webhook', async () => {
    await using sandbox = createSandbox({ inspect: true });
    await executeQuote(sandbox);
    const { status, evidence } = checkOf(sandbox, 'executed_quotes');
    expect([status, evidence[0]?.resource]).toEqual(['unseen', { kind: 'quotes', id: sandbox.fixtures.quoteId }]);
  });

  test('was given up', async () => {
    await using sandbox = withWebhook();
    sandbox.inbox.answer({ status: 500 });
    await executeQuote(sandbox);
    expect(statusOf(sandbox, 'executed_quotes')).toBe('unseen');
    await sandbox.clock.advance(8 * 3_600_000, { deliver: true });
    expect(checkOf(sandbox, 'executed_quotes')).toMatchObject({
      status: 'failed',
      evidence: [{ resource: { kind: 'quotes', id: sandbox.fixtures.quoteId } }],
    });
  });
});

describe('receivers of webhooks', () => {
  test('answer 2xx', async () => {
    await using sandbox = withWebhook();
    expect(statusOf(sandbox, 'webhook_answers')).toBe('unseen');
    await sandbox.webhooks.trigger('quote.executed');
    await sandbox.webhooks.idle();
    expect(statusOf(sandbox, 'webhook_answers')).toBe('passed');
    sandbox.inbox.answer({ status: 404 });
    await sandbox.webhooks.trigger('quote.executed');
    await sandbox.webhooks.idle();
    expect(checkOf(sandbox, 'webhook_answers')).toMatchObject({
      status: 'failed',
      evidence: [{ text: expect.stringMatching(/^quote\.executed \(dlv_.*\) was last answered 404\.$/) }],
    });
  });

  test.each([
    [5_000, 'passed', []],
    [5_001, 'failed', [{ text: 'quote.executed (dlv_1) was under way for 5 s.' }]],
    [12_340, 'failed', [{ text: 'quote.executed (dlv_1) was under way for 12.3 s.' }]],
  ])('that take %i ms have %s', (ms, status, evidence) => {
    const attempt: DeliveryAttempt = {
      at: 0,
      url: 'https://receiver.example',
      status: 200,
      error: undefined,
      ms,
      redelivery: false,
    };
    const delivery = { id: 'dlv_1', type: 'quote.executed', attempts: [attempt], status: 'delivered', body: '{}' };
    const service = new Service({});
    const deliveries = vi.spyOn(service.webhooks, 'deliveries', 'get').mockReturnValue([delivery as never]);
    expect(judgedBy(WEBHOOK_RULES, 'webhook_speed', service)).toEqual({ status, evidence });
    expect(failuresOf(service)).toEqual(evidence.map(() => '1 delivery attempt took more than 5 s'));
    deliveries.mockReturnValue([delivery as never, delivery as never]);
    expect(failuresOf(service)).toEqual(evidence.map(() => '2 delivery attempts took more than 5 s'));
    service.close();
  });

  test('refuse what is forged', async () => {
    await using sandbox = withWebhook();
    const forge = async (status: number) => {
      sandbox.inbox.answer({ status });
      sandbox.troubles.add({ does: { delivery: { signature: 'wrong' } } });
      await sandbox.webhooks.trigger('quote.executed');
      await sandbox.webhooks.idle();
    };
    await sandbox.webhooks.trigger('quote.executed');
    await sandbox.webhooks.idle();
    expect(statusOf(sandbox, 'webhook_signatures')).toBe('unseen');
    await forge(401);
    expect(statusOf(sandbox, 'webhook_signatures')).toBe('passed');
    await forge(200);
    expect(checkOf(sandbox, 'webhook_signatures')).toMatchObject({
      status: 'failed',
      found: 1,
      evidence: [{ text: expect.stringMatching(/was forged, and answered 200\.$/) }],
    });
  });

  test('that take a bad delivery with a good signature have taken no forged one', async () => {
    await using sandbox = withWebhook();
    sandbox.troubles.add({ does: { delivery: { duplicate: 1 } } });
    await sandbox.webhooks.trigger('quote.executed');
    await sandbox.webhooks.idle();
    expect(statusOf(sandbox, 'webhook_signatures')).toBe('unseen');
  });
});

describe('troubles that were set', () => {
  const match = { operation: 'accounts.quotes.execute' };
  test.each<[TroubleOptions, text: string]>([
    [{ does: 503, match }, 'trouble_2: 503 was not applied.'],
    [{ does: { outcome: 'failed' }, match }, 'trouble_2: {"outcome":"failed"} was not applied.'],
    [{ does: { delivery: { drop: true } } }, 'trouble_2: {"delivery":{"drop":true}} was not applied.'],
  ])('%j that was not applied is named', async (options, text) => {
    await using sandbox = createSandbox();
    expect(statusOf(sandbox, 'unused_troubles')).toBe('unseen');
    sandbox.troubles.add({ does: { delayMs: 1 } });
    expect(statusOf(sandbox, 'unused_troubles')).toBe('unseen');
    sandbox.troubles.clear();
    sandbox.troubles.add(options);
    const { status, evidence } = checkOf(sandbox, 'unused_troubles');
    expect([status, evidence]).toEqual(['failed', [{ text }]]);
  });

  test('one that was applied is used', async () => {
    await using sandbox = createSandbox();
    sandbox.troubles.add({ does: 503, times: 'always' });
    await sandbox.requests.send({ method: 'GET', path: '/v1/webhooks' });
    expect(statusOf(sandbox, 'unused_troubles')).toBe('passed');
  });
});

function never(): never {
  throw new Error('the seed is empty');
}
