/** What every client asks for, and by what an answer shows that it is the right one. Short: the start of a process is measured with it. */

export const API_KEY = 'k'.repeat(56);
export const API_SECRET = Buffer.from('s'.repeat(64)).toString('base64');

export const ACCOUNT = 'AA66GN84GAABCDEF';
export const QUOTE = 'QTAB12-CD34E-FG56HI';
export const PAGE_SIZE = 25;

export const QUOTE_PATH = `/v1/accounts/${ACCOUNT}/quotes/${QUOTE}`;
export const PAGE_PATH = `/v1/accounts/${ACCOUNT}/on-demand-conversions`;
export const PAGE_URL = `${PAGE_PATH}?page_size=${PAGE_SIZE}`;
export const WRITE_PATH = `/v1/accounts/${ACCOUNT}/quotes`;
export const WRITE_BODY = {
  from: { symbol: 'USD', type: 'fiat', amount: '1250.00' },
  to: { symbol: 'BTC', type: 'crypto' },
};

/** The `to.amount` of the quote, the last item's `fees.to.amount`, the id of the created quote. */
export const EVIDENCE = { quote: '0.0128894211', page: '7.00000025', write: 'QTNEW1-CD34E-FG56HI' };
