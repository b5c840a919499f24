import ccxt from 'ccxt';
import type { CreateClient, MeasuredClient } from '../client.js';
import { envelopeClient } from '../envelope.js';
import { ACCOUNT, API_KEY, API_SECRET, PAGE_SIZE, QUOTE, WRITE_BODY } from '../requests.js';

/** Signs as partner-sdk does, with a nonce and two hashes. Every call is a POST, and each answer is in an envelope of its own. */
export const create: CreateClient = (origin): MeasuredClient => {
  const kraken = new ccxt.kraken({ apiKey: API_KEY, secret: API_SECRET, enableRateLimit: false });
  kraken.urls.api.private = origin;
  kraken.urls.api.public = origin;
  const call = async (path: string, params: object) => {
    const answer = (await kraken.request(path, 'private', 'POST', params)) as { result: unknown };
    return answer.result;
  };
  return envelopeClient({
    quote: () => call('QueryLedgers', { id: QUOTE }),
    page: () => call('Ledgers', { account: ACCOUNT, page_size: PAGE_SIZE }),
    write: () => call('AddOrder', WRITE_BODY.from),
  });
};
