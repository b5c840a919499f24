import { fetchTransport, PartnerClient, type Trade } from '../../../../src/index.js';

/** What happens to one execution. A number is a rejection without effect, at the service or before it. */
export const EXECUTIONS = [
  'answered',
  'answer lost',
  'late, answer lost',
  'never arrives',
  'fails',
  403,
  409,
  410,
  429,
  503,
] as const;
export type ExecutionEvent = (typeof EXECUTIONS)[number];

/** What a read shows. `old` is without an execution that has ended in the last seconds, `oldest` in the last minute. */
export const READS = ['true', 'old', 'lost', 429, 503] as const;
export type ReadEvent = (typeof READS)[number] | 'oldest';

const OFFERED_MS = 30_000;
const LAGS_MS = { true: 0, old: 3_000, oldest: 60_000 };
const LATE_MS = 4_000;
const BODY = { from: { symbol: 'USD', type: 'fiat', amount: '25.00' }, to: { symbol: 'BTC', type: 'crypto' } };

interface Kept {
  readonly id: string;
  readonly expiresAt: number;
  /** When an execution that the service has begun ends, and how. */
  execution?: { readonly begun: number; readonly ends: number; readonly end: 'executed' | 'failed' };
}

/**
 * A service of quotes that counts what was bought. It computes `expired` from the time, and shows
 * an execution only when that has ended: until then its quote reads `offered` or `expired`.
 */
export class Ledger {
  readonly #quotes = new Map<string, Kept>();
  readonly #byKey = new Map<string, Kept>();
  readonly #executions: ExecutionEvent[];
  readonly #reads: ReadEvent[];
  readonly lines: string[] = [];

  constructor(executions: readonly ExecutionEvent[], reads: readonly ReadEvent[] = []) {
    this.#executions = [...executions];
    this.#reads = [...reads];
  }

  /** How many quotes were executed by now. */
  get bought(): number {
    return [...this.#quotes.values()].filter((quote) => statusOf(quote, Date.now()) === 'executed').length;
  }

  /**
   * Trades with this service, as a program that has just started.
   *
   * @param options `thinks` is the time in ms after which the quote is accepted.
   */
  trade(options: { maxRetries: number; timeout?: number; signal?: AbortSignal; thinks?: number }): Promise<Trade> {
    const { maxRetries, thinks = 0, ...rest } = options;
    const client = new PartnerClient({
      baseUrl: 'https://ledger.example',
      apiKey: 'k',
      apiSecret: Buffer.from('secret').toString('base64'),
      attemptTimeout: 1_000,
      maxRetries,
      transport: fetchTransport({
        fetch: ((url: string, init: RequestInit) => this.#serve(url, init)) as typeof fetch,
      }),
    });
    const trade = client.accounts.quotes.trade('ACCOUNT-MAIN-0001', BODY, {
      reference: 'order-1',
      accept: () => new Promise((resolve) => setTimeout(() => resolve(true), thinks)),
      ...rest,
    });
    return trade.finally(() => client.close());
  }

  async #serve(url: string, { method, headers }: RequestInit): Promise<Response> {
    const key = (headers as Record<string, string>)['idempotency-key'] ?? '';
    const [, id, execute] = /quotes(?:\/([^/]+))?(\/execute)?$/.exec(url) ?? [];
    this.lines.push(`${method} ${id === undefined ? 'quotes' : execute === undefined ? 'quote' : 'execute'}`);
    if (id === undefined) return this.#create(key);
    const quote = this.#quotes.get(id);
    if (quote === undefined) return reject(404);
    return execute === undefined ? this.#show(quote) : this.#execute(quote);
  }

  #create(key: string): Response {
    const known = this.#byKey.get(key);
    if (known !== undefined) return answer(shown(known, 'offered'), { 'idempotent-replayed': 'true' });
    const quote = { id: `quote-${this.#quotes.size + 1}`, expiresAt: Date.now() + OFFERED_MS };
    this.#quotes.set(quote.id, quote);
    this.#byKey.set(key, quote);
    return answer(shown(quote, 'offered'));
  }

  #show(quote: Kept): Response {
    const event = this.#reads.shift() ?? 'true';
    if (typeof event === 'number') return reject(event);
    if (event === 'lost') throw lost();
    return answer(shown(quote, statusOf(quote, Date.now(), LAGS_MS[event])));
  }

  #execute(quote: Kept): Response {
    const event = this.#executions.shift() ?? 'answered';
    const now = Date.now();
    const isOver = now >= quote.expiresAt;
    if (event === 'never arrives') throw lost();
    // That an offer is over is the truth, or said of one that the service still offers.
    if (typeof event === 'number' && !(event === 410 && isOver)) return reject(event);
    if (quote.execution === undefined) {
      if (isOver) return reject(410);
      const ends = now + (event === 'late, answer lost' ? LATE_MS : 0);
      quote.execution = { begun: now, ends, end: event === 'fails' ? 'failed' : 'executed' };
    }
    if (event !== 'answered' && event !== 'fails') throw lost();
    return answer({ id: quote.id, status: 'executing' });
  }
}

function statusOf({ execution, expiresAt }: Kept, now: number, lag = 0): string {
  if (execution !== undefined && now - lag >= execution.ends) return execution.end;
  return now >= expiresAt ? 'expired' : 'offered';
}

function shown({ id, expiresAt }: Kept, status: string): object {
  const [usd, btc] = [BODY.from, { ...BODY.to, amount: '0.0005' }].map((side) => ({ ...side, name: side.symbol }));
  const [base, quote] = [btc, usd];
  return {
    id,
    status,
    expires_at: new Date(expiresAt).toISOString(),
    from: usd,
    to: btc,
    fees: { trade: { ...usd, amount: '0.10' } },
    rate: { base, quote, price: '50000' },
  };
}

const answer = (data: object, headers: Record<string, string> = {}): Response => Response.json({ data }, { headers });

function reject(status: number): Response {
  return Response.json({ error: { type: 'request_error', code: `c${status}` } }, { status });
}

const lost = () => new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
