import { describe, expect, it, vi } from 'vitest';
import { ResponseValidationError } from '../../../src/index.js';
import { invoke, type OperationCase, operation } from '../support/operations.js';
import { forRequest, json, rejection, startService } from '../support/service.js';

const service = startService();
const MODES = ['strict', 'warn'] as const;

/** Each member that an answer repeats of its call, and whether its case counts. */
const COMPARED: readonly (readonly [operation: string, member: string, anyCase: boolean])[] = [
  ['users.get', 'id', false],
  ['accounts.quotes.get', 'id', false],
  ['accounts.quotes.execute', 'id', false],
  ['accounts.onchainQuotes.get', 'id', false],
  ['accounts.priceTriggerSwaps.get', 'id', false],
  ['conversions.get', 'id', false],
  ['transfers.get', 'id', false],
  ['funds.bankLinks.get', 'bank_link_id', false],
  ['webhooks.update', 'id', false],
  ['webhooks.delete', 'webhook_id', false],
  ...['accounts.quotes.create', 'accounts.onchainQuotes.create'].flatMap((name) =>
    ['from.symbol', 'from.type', 'to.symbol', 'to.type'].map((member) => [name, member, true] as const),
  ),
];

/** The sample answer with another value at this place of `data`. */
function changed({ answer }: OperationCase, member: string, change: (value: string) => unknown): unknown {
  const copy = structuredClone(answer) as { data: Record<string, unknown> };
  const names = member.split('.');
  const last = names.pop() as string;
  const holder = names.reduce((at, name) => at[name] as Record<string, unknown>, copy.data);
  holder[last] = change(holder[last] as string);
  if (holder[last] === undefined) delete holder[last];
  return copy;
}

/** Answers with the sample, made to fit the request, with this change. */
function answerWith(op: OperationCase, member: string, change: (value: string) => unknown): void {
  service.answer((request) => json(changed({ ...op, answer: forRequest(request, op.answer) }, member, change)));
}

const otherCase = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

describe.each(COMPARED)('%s: %s', (name, member, anyCase) => {
  const op = operation(name);

  it.each(MODES)('of another call is refused, in %s mode, without its value in the message', async (mode) => {
    for (const foreign of ['somebody-elses', '', `x${name}`]) {
      answerWith(op, member, () => foreign);
      const error = await rejection(invoke(op, service.client({ responseValidation: mode })), ResponseValidationError);
      expect(error).toMatchObject({
        issues: [{ path: `data.${member}` }],
        outcome: op.method === 'GET' ? 'not_applied' : 'unknown',
        operation: name,
        response: { status: 200 },
        attempts: { count: 1, failures: [{ reason: 'unreadable', status: 200 }] },
      });
      expect(error.message).toContain('belongs to another call');
      if (foreign !== '') expect(`${error.message}${JSON.stringify(error)}`).not.toContain(foreign);
    }
  });

  it(`in another case ${anyCase ? 'passes' : 'is refused'}`, async () => {
    answerWith(op, member, otherCase);
    const end = await Promise.resolve(invoke(op, service.client())).then(
      () => 'passes',
      (error: unknown) => (error as Error).name,
    );
    expect(end).toBe(anyCase ? 'passes' : 'ResponseValidationError');
  });

  it.each([
    ['absent', undefined],
    ['null', null],
    ['of another type', 5],
  ])('%s is a matter of shape and not of identity', async (_, value) => {
    answerWith(op, member, () => value);
    const warn = vi.fn();
    await invoke(op, service.client({ responseValidation: 'warn', logger: { warn } }));
    expect(JSON.stringify(warn.mock.calls)).not.toContain('another call');
  });
});

it('a text that the caller changes after the call is compared as it was asked', async () => {
  const client = service.client();
  service.answerJson(operation('accounts.quotes.create').answer);
  const from = { symbol: 'USD', type: 'fiat', amount: '100.00' };
  const call = client.accounts.quotes.create('ACCOUNT-MAIN-0001', { from, to: { symbol: 'BTC', type: 'crypto' } });
  from.symbol = 'EUR';
  expect((await call).from.symbol).toBe('USD');
});

it('a wait ends with the answer of another call', async () => {
  const op = operation('accounts.quotes.get');
  answerWith(op, 'id', () => 'another');
  const error = await rejection(service.client().accounts.quotes.waitFor(op.ids[0] as string, op.ids[1] as string));
  expect(error).toMatchObject({ name: 'ResponseValidationError', issues: [{ path: 'data.id' }] });
  expect(service.received).toHaveLength(1);
});
