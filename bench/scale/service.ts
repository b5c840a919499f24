import { startRawServer } from '../service/raw-server.js';

/** Items of a page, as many as the service gives at most. */
export const PAGE_SIZE = 25;

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
 * Starts a service that has users, a list of `pages` full pages, and the number of open connections.
 * It checks nothing. Returns its address.
 */
export async function startScaleService(pages: number): Promise<string> {
  const user = answerOf(USER);
  const lastPage = answerOf(`${itemsOfPage}}`);
  const otherPage = answerOf(`${itemsOfPage}${tokenMember(0)}`);
  let connections = 0;
  const { server, origin } = await startRawServer((head) => {
    const path = head.slice(0, head.indexOf('\r\n'));
    if (path.includes('/users/')) return user;
    if (path.includes('/connections')) return answerOf(`{"data":${connections}}`);
    const next = Number(/page_token=(\d+)/.exec(path)?.[1] ?? 0) + 1;
    if (next >= pages) return lastPage;
    // Each page is the same but for its token, whose length does not change.
    const page = Buffer.from(otherPage);
    page.write(tokenMember(next), page.length - tokenMember(next).length, 'latin1');
    return page;
  });
  server.on('connection', (socket) => {
    connections++;
    socket.on('close', () => connections--);
  });
  return origin;
}

/** The end of a page that is not the last. */
function tokenMember(page: number): string {
  return `,"next_page_token":"${String(page).padStart(TOKEN_DIGITS, '0')}"}`;
}

function answerOf(body: string): Buffer {
  const length = Buffer.byteLength(body);
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`);
}
