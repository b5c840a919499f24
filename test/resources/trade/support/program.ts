import { fetchTransport, PartnerClient, type Quote, type Trade } from '../../../../src/index.js';
import type { Sandbox } from '../../../../src/sandbox/index.js';
import { quote } from '../../support/samples.js';
import { json } from '../../support/service.js';

const sidesOf = ({ from, to }: typeof BODY, amount: string) => ({
  from: { ...quote.from, ...from, amount },
  to: { ...quote.to, ...to },
});

const BODY = { from: { symbol: 'USD', type: 'fiat', amount: '25.00' }, to: { symbol: 'BTC', type: 'crypto' } };

/** What happens to one request: before the service sees it, or to its answer. */
type Meddling = (line: string, index: number) => 'die before' | 'die after' | 'lose' | 'misdirect' | 503 | undefined;

/** A program that trades with a sandbox. Each poll moves the sandbox's clock. */
export class Program {
  readonly lines: string[] = [];
  /** The idempotency key of each write. */
  readonly keys: string[] = [];
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
      if (init.method === 'POST') this.keys.push((init.headers as Record<string, string>)['idempotency-key'] ?? '');
      const fate = meddle(line, this.lines.push(line) - 1);
      if (line === 'GET quotes/ID') sandbox.advance(900);
      if (fate === 503) return Response.json({ error: { type: 'server_error', code: 'unavailable' } }, { status: 503 });
      if (fate === 'die before') this.dead = true;
      if (this.dead) return never;
      const answer = (await sandbox.fetch(new Request(url, init))) as Response;
      if (fate === 'lose') throw new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
      if (fate === 'misdirect')
        return json({ data: { ...quote, id: 'of-another-call', ...sidesOf(BODY, '10000.00') } });
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
