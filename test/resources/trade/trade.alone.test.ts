import { describe, expect, it } from 'vitest';
import {
  idempotencyKeyFor,
  ProviderError,
  type Quote,
  RequestValidationError,
  ResponseValidationError,
  TimeoutError,
  TradeError,
} from '../../../src/index.js';
import { createSandbox } from '../../../src/sandbox/index.js';
import { rejection, wrong } from '../support/service.js';
import { end, underFakeTimers } from '../support/waiting.js';
import { Program } from './support/program.js';

underFakeTimers();

describe('quotes.trade', () => {
  it('asks for a quote, lets it be accepted, executes it and waits for its end', async () => {
    const program = new Program(createSandbox());
    const { value } = await end(program.trade());
    expect(value).toMatchObject({ status: 'executed', quotes: 1, quote: { status: 'executed' } });
    expect(program.lines.slice(0, 2)).toEqual(['POST quotes', 'POST quotes/ID/execute']);
    expect(program.asked).toEqual([value?.quote.id]);
  });

  it('has keys that every version of the package derives in the same way: a restart may be an upgrade', async () => {
    const program = new Program(createSandbox());
    const accept = () => {
      if (program.keys.length === 1) program.sandbox.advance(31_000);
      return true;
    };
    await end(program.trade({ accept }));
    const { accountId } = program.sandbox.fixtures;
    const key = (number: string, step: 'create' | 'execute') =>
      idempotencyKeyFor('partner-sdk.trade', `accounts.quotes.${step}`, accountId, 'order-1', number);
    expect(program.keys).toEqual([key('1', 'create'), key('1', 'execute'), key('2', 'create'), key('2', 'execute')]);
  });

  it('executes nothing that accept declines', async () => {
    const program = new Program(createSandbox());
    const { value } = await end(program.trade({ accept: async () => false }));
    expect(value).toMatchObject({ status: 'declined', quote: { status: 'offered' } });
    expect(program.lines).toEqual(['POST quotes']);
  });

  it('asks for a new quote when one expires before its execution, and asks about that', async () => {
    const program = new Program(createSandbox());
    const seen: string[] = [];
    const accept = ({ id }: Quote) => {
      if (seen.push(id) === 1) program.sandbox.advance(31_000);
      return true;
    };
    const { value } = await end(program.trade({ accept }));
    expect(value).toMatchObject({ status: 'executed', quotes: 2 });
    expect(new Set(seen).size).toBe(2);
  });

  it('ends with a TradeError when maxQuotes quotes have expired', async () => {
    const program = new Program(createSandbox());
    const accept = () => {
      program.sandbox.advance(31_000);
      return true;
    };
    const { error } = await end(program.trade({ accept, maxQuotes: 2 }));
    expect(error).toBeInstanceOf(TradeError);
    expect(error).toMatchObject({ outcome: 'not_applied', quote: { status: 'expired' } });
    expect(program.lines.filter((line) => line === 'POST quotes')).toHaveLength(2);
  });

  it('ends with a TradeError and no other quote when the execution fails', async () => {
    const program = new Program(createSandbox());
    const accept = ({ id }: Quote) => {
      program.sandbox.quotes.fail(id);
      return true;
    };
    const { error } = await end(program.trade({ accept }));
    expect(error).toMatchObject({ name: 'TradeError', outcome: 'not_applied', quote: { status: 'failed' } });
    expect((error as Error).message).toBe(
      'the execution of the quote failed: check the balance of the account (accounts.quotes.trade)',
    );
    expect(program.lines.filter((line) => line === 'POST quotes')).toHaveLength(1);
  });

  it('made again after its end gives the same end, and asks nothing', async () => {
    const sandbox = createSandbox();
    const first = await end(new Program(sandbox).trade());
    const again = new Program(sandbox);
    expect((await end(again.trade())).value).toEqual(first.value);
    expect(again.asked).toEqual([]);
    expect(again.lines).toEqual(['POST quotes', 'GET quotes/ID']);
  });

  it('settles an execution whose answers are all lost, before it asks for another quote', async () => {
    let lost = 0;
    const program = new Program(createSandbox(), (line) =>
      line.endsWith('/execute') && lost++ < 4 ? 'lose' : undefined,
    );
    const { value } = await end(program.trade());
    expect(value).toMatchObject({ status: 'executed', quotes: 1 });
    expect(lost).toBeGreaterThanOrEqual(4);
  });

  it("asks again with the same key after another call's quote, and never executes that", async () => {
    let misdirected = 0;
    const program = new Program(createSandbox(), (line) =>
      line === 'POST quotes' && misdirected++ < 1 ? 'misdirect' : undefined,
    );
    const { value } = await end(program.trade());
    expect(value).toMatchObject({ status: 'executed' });
    if (value?.status === 'executed') expect(value.quote.from.amount.toFixed(2)).toBe('25.00');
    expect(program.keys[1]).toBe(program.keys[0]);
    expect(program.asked).not.toContain('of-another-call');
    expect(program.lines.some((line) => line.includes('of-another-call'))).toBe(false);
  });

  it("ends with the error of another call's quote when no other comes", async () => {
    const program = new Program(createSandbox(), () => 'misdirect');
    const { error } = await end(program.trade());
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ outcome: 'unknown', operation: 'accounts.quotes.create' });
    expect(program.lines).toEqual(['POST quotes', 'POST quotes', 'POST quotes']);
    expect(program.asked).toEqual([]);
  });

  it('whose time is over while the end of an execution is not known is unknown', async () => {
    const program = new Program(createSandbox(), (line) => (line === 'GET quotes/ID' ? 503 : undefined));
    const { error } = await end(program.trade({ timeout: 20_000 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ outcome: 'unknown', operation: 'accounts.quotes.trade' });
    const unsettled = await rejection(program.client.settle(error, async () => {}));
    expect(String(unsettled)).toContain('call it again with the same reference');
    expect(program.lines.filter((line) => line === 'POST quotes')).toHaveLength(1);
  });

  it('whose accept takes too long, or throws, has executed nothing', async () => {
    const program = new Program(createSandbox());
    const slow = await end(program.trade({ accept: () => new Promise<boolean>(() => {}), timeout: 5_000 }));
    expect(slow.error).toMatchObject({ name: 'TimeoutError', outcome: 'not_applied' });
    const cause = new Error('no');
    const failed = await end(program.trade({ reference: 'order-2', accept: () => Promise.reject(cause) }));
    expect(failed.error).toBeInstanceOf(ProviderError);
    expect(failed.error).toMatchObject({ outcome: 'not_applied', cause });
    const neither = await end(program.trade({ reference: 'order-3', accept: wrong<() => boolean>(() => undefined) }));
    expect(neither.error).toMatchObject({ cause: { message: 'the accept function must return true or false' } });
    expect(program.lines.some((line) => line.endsWith('/execute'))).toBe(false);
  });

  it('refuses options that cannot be right before anything is sent', async () => {
    const program = new Program(createSandbox());
    for (const options of [
      { reference: '' },
      { reference: `${undefined}` },
      { accept: wrong<() => boolean>('yes') },
      { maxQuotes: 0 },
      { quotes: 1 },
    ]) {
      expect(await rejection(program.trade(options))).toBeInstanceOf(RequestValidationError);
    }
    expect(program.lines).toEqual([]);
  });
});
