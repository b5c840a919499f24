import { createServer, type Server, type Socket } from 'node:net';

/** Items of a page, as many as the service gives at most. */
export const PAGE_SIZE = 25;

const HEAD_END = '\r\n\r\n';

/** Tokens have one length, so that all pages have. */
const TOKEN_DIGITS = 9;

const amount = (symbol: string, value: string) => ({ symbol, amount: value });

/** A conversion with all its members: 150 amounts in a page of 25. */
const CONVERSION = {
  id: '5f3ad6a2-0d0c-4c55-9c8e-0b8a3f6a7c11',
  status: 'completed',
  from: { type: 'balance', ...amount('USD', '250.00'), status: 'completed' },
  to: {
    type: 'wallet',
    ...amount('BTC', '0.00369809'),
    status: 'completed',
    wallet: { via: 'lightning', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
  },
  rate: { base: { symbol: 'BTC' }, quote: { symbol: 'USD' }, price: '67432.10' },
  fees: { from: amount('USD', '0.00'), trade: amount('USD', '0.63'), to: amount('BTC', '0.00000120') },
  created_at: '2026-01-15T12:00:00.000Z',
  updated_at: '2026-01-15T12:00:05.000Z',
};

const USER = JSON.stringify({
  data: {
    id: 'USER-0000-0001',
    type: 'individual',
    status: { state: 'ok', required_actions: [] },
    created_at: '2026-01-15T12:00:00.000Z',
    accounts: [{ id: 'ACCOUNT-0000-0001', name: 'main' }],
  },
});

const itemsOfPage = `{"data":${JSON.stringify(Array.from({ length: PAGE_SIZE }, () => CONVERSION))}`;

/**
 * Knows users, a list of `pages` full pages, and how many connections are open. It checks nothing and costs little: the client is what
 * is measured.
 */
export class ScaleService {
  readonly #server: Server;
  readonly #pages: number;
  readonly #user = answerOf(USER);
  readonly #lastPage = answerOf(`${itemsOfPage}}`);
  readonly #pageStart: Buffer;
  #connections = 0;

  private constructor(pages: number) {
    this.#pages = pages;
    this.#pageStart = answerOf(`${itemsOfPage}${tokenMember(0)}`).subarray(0, -tokenMember(0).length);
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  }

  static async start(pages: number): Promise<ScaleService> {
    const service = new ScaleService(pages);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the service does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Requests have no body here: each ends with its head. What comes in one piece is answered in one. */
  #serve(socket: Socket): void {
    let received = '';
    this.#connections++;
    socket.on('close', () => this.#connections--);
    // A client that leaves in the middle is no failure of the bench.
    socket.on('error', () => {});
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      const heads = (received + chunk).split(HEAD_END);
      received = heads.pop() ?? '';
      socket.cork();
      for (const head of heads) this.#answer(socket, head);
      socket.uncork();
    });
  }

  #answer(socket: Socket, head: string): void {
    const path = head.slice(0, head.indexOf('\r\n'));
    if (path.includes('/users/')) socket.write(this.#user);
    else if (path.includes('/connections')) socket.write(answerOf(`{"data":${this.#connections}}`));
    else this.#answerPage(socket, Number(/page_token=(\d+)/.exec(path)?.[1] ?? 0));
  }

  #answerPage(socket: Socket, page: number): void {
    if (page + 1 >= this.#pages) {
      socket.write(this.#lastPage);
      return;
    }
    socket.write(this.#pageStart);
    socket.write(tokenMember(page + 1), 'latin1');
  }
}

/** The end of a page that is not the last. */
function tokenMember(page: number): string {
  return `,"next_page_token":"${String(page).padStart(TOKEN_DIGITS, '0')}"}`;
}

function answerOf(body: string): Buffer {
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}${HEAD_END}${body}`,
  );
}
