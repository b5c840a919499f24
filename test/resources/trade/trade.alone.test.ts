import { describe, expect, it } from 'vitest';
import {
  fetchTransport,
  PartnerClient,
  ProviderError,
  type Quote,
  RequestValidationError,
  TimeoutError,
  type Trade,
  TradeError,
} from '../../../src/index.js';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.js';
import { seeded } from '../../support/random.js';
import { rejection, wrong } from '../support/service.js';
import { end, underFakeTimers } from '../support/waiting.js';

underFakeTimers();

const BODY = { from: { symbol: 'USD', type: 'fiat', amount: '25.00' }, to: { symbol: 'BTC', type: 'crypto' } };

/** What happens to one request: before the service sees it, or to its answer. */
type Meddling = (line: string, index: number) => 'die before' | 'die after' | 'lose' | 503 | undefined;

/** A program that trades with a sandbox. Each poll moves the sandbox's clock. */
class Program {
  readonly lines: string[] = [];
  readonly asked: string[] = [];
  readonly client: PartnerClient;
  dead = false;

  constructor(
    readonly sandbox: Sandbox,
    meddle: Meddling = () => undefined,
  ) {
    const serve = async (url: string, init: RequestInit): Promise<Response> => {
      const never = new Promise<never>(() => {});
      if (this.dead) return never;
      const line = `${init.method} ${new URL(url).pathname
        .split('/')
        .slice(4)
        .join('/')
        .replaceAll(/[0-9a-f-]{36}/g, 'ID')}`;
      const fate = meddle(line, this.lines.push(line) - 1);
      if (line === 'GET quotes/ID') sandbox.advance(900);
      if (fate === 503) return Response.json({ error: { type: 'server_error', code: 'unavailable' } }, { status: 503 });
      if (fate === 'die before') this.dead = true;
      if (this.dead) return never;
      const answer = (await sandbox.fetch(new Request(url, init))) as Response;
      if (fate === 'lose') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
      if (fate === 'die after') this.dead = true;
      return this.dead ? never : answer;
    };
    const transport = fetchTransport({ fetch: serve as typeof fetch });
    this.client = new PartnerClient({
      baseUrl: 'http://sandbox.example',
      ...sandbox.credentials,
      allowInsecureHttp: true,
      transport,
    });
  }

  trade(options: Partial<Parameters<PartnerClient['accounts']['quotes']['trade']>[2]> = {}): Promise<Trade> {
    const accept = (quote: Quote) => {
      this.asked.push(quote.id);
      return true;
    };
    return this.client.accounts.quotes.trade(this.sandbox.fixtures.accountId, BODY, {
      reference: 'order-1',
      accept,
      ...options,
    });
  }
}

/** What the account has of the two assets. */
async function holdings(sandbox: Sandbox): Promise<{ USD: string; BTC: string }> {
  const { items } = await new Program(sandbox).client.accounts.portfolio.details(sandbox.fixtures.accountId);
  const of = (symbol: string) => items.find((entry) => entry.symbol === symbol)?.total.toFixed() ?? '0';
  return { USD: of('USD'), BTC: of('BTC') };
}

describe('quotes.trade', () => {
  it('asks for a quote, lets it be accepted, executes it and waits for its end', async () => {
    const program = new Program(createSandbox());
    const { value } = await end(program.trade());
    expect(value).toMatchObject({ status: 'executed', quotes: 1, quote: { status: 'executed' } });
    expect(program.lines.slice(0, 2)).toEqual(['POST quotes', 'POST quotes/ID/execute']);
    expect(program.asked).toEqual([value?.quote.id]);
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

  it('whose time is over while the end of an execution is not known is unknown', async () => {
    const program = new Program(createSandbox(), (line) => (line === 'GET quotes/ID' ? 503 : undefined));
    const { error } = await end(program.trade({ timeout: 20_000 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ outcome: 'unknown', operation: 'accounts.quotes.trade' });
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
    expect(program.lines.some((line) => line.endsWith('/execute'))).toBe(false);
  });

  it('refuses options that cannot be right before anything is sent', async () => {
    const program = new Program(createSandbox());
    for (const options of [
      { reference: '' },
      { accept: wrong<() => boolean>('yes') },
      { maxQuotes: 0 },
      { quotes: 1 },
    ]) {
      expect(await rejection(program.trade(options))).toBeInstanceOf(RequestValidationError);
    }
    expect(program.lines).toEqual([]);
  });

  it('killed anywhere, again and again, and made again, buys exactly once', async () => {
    const random = seeded(15);
    const upTo = (most: number) => Math.floor(random() * (most + 1));
    for (let run = 0; run < 200; run++) {
      const sandbox = createSandbox({ seed: run });
      const before = await holdings(sandbox);
      const asked: string[] = [];
      let last: Trade | undefined;
      for (let kills = 1 + upTo(2); last === undefined; kills--) {
        const [place, way] = [upTo(5), upTo(1) === 0 ? 'die before' : 'die after'] as const;
        const program = new Program(sandbox, (_, index) => (kills > 0 && index === place ? way : undefined));
        const stop = new AbortController();
        const ending = end(
          program.trade({ signal: stop.signal, timeout: 90_000 }).catch(() => undefined),
          95_000,
        );
        ({ value: last } = await ending);
        asked.push(...program.asked);
        if (upTo(4) === 0) sandbox.advance(31_000);
      }
      expect(last?.status).toBe('executed');
      expect(new Set(asked).size, `run ${run}`).toBe(asked.length);
      const after = await holdings(sandbox);
      const { from, to } = (last as Extract<Trade, { status: 'executed' }>).quote;
      expect([before.USD, before.BTC]).toEqual([
        from.amount.plus(after.USD).toFixed(),
        to.amount.neg().plus(after.BTC).toFixed(),
      ]);
      await sandbox.close();
    }
  }, 120_000);
});
