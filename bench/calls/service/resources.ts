import { ACCOUNT, EVIDENCE, PAGE_SIZE, QUOTE } from '../measured/requests.js';
import { Values } from './random.js';

const values = new Values();

/** 25 conversions, 14 kB, 150 amounts. */
export const PAGE = {
  data: Array.from({ length: PAGE_SIZE }, (_, index) => conversion(index)),
  next_page_token: values.hex(64),
};

function conversion(index: number) {
  const crypto = values.pick(['BTC', 'ETH', 'USDC', 'SOL']);
  const fiat = values.pick(['USD', 'EUR', 'GBP']);
  const toWallet = index % 6 === 0;
  const isLast = index === PAGE_SIZE - 1;
  return {
    id: values.uuid(),
    status: values.pick(['completed', 'completed', 'settling', 'converting']),
    from: { type: 'balance', symbol: fiat, amount: values.decimal(4, 2), status: 'settled' },
    to: toWallet
      ? wallet(crypto)
      : { type: 'balance', symbol: crypto, amount: values.decimal(1, 10), status: 'settled' },
    rate: { base: { symbol: crypto }, quote: { symbol: fiat }, price: values.decimal(5, 4) },
    fees: {
      from: { symbol: fiat, amount: '0.00' },
      trade: { symbol: fiat, amount: values.decimal(1, 2) },
      to: { symbol: crypto, amount: isLast ? EVIDENCE.page : values.decimal(1, 8) },
    },
    ...(toWallet ? { transaction_references: delivery() } : {}),
    created_at: values.time(index),
    updated_at: values.time(index - 0.02),
  };
}

function wallet(symbol: string) {
  const address = { via: values.pick(['bitcoin', 'ethereum', 'solana']), address: `0x${values.hex(40)}` };
  return { type: 'wallet', symbol, amount: values.decimal(1, 10), status: 'settled', wallet: address };
}

function delivery() {
  const transaction = `TX${values.hex(10).toUpperCase()}`;
  return { to: { transaction_id: transaction, blockchain_transaction_id: `0x${values.hex(64)}` } };
}

const dollars = { symbol: 'USD', name: 'US Dollar', type: 'fiat' };
const bitcoin = { symbol: 'BTC', name: 'Bitcoin', type: 'crypto' };

const quote = (id: string) => ({
  id,
  status: 'offered',
  expires_at: values.time(0),
  from: { ...dollars, amount: '1250.00' },
  to: { ...bitcoin, amount: EVIDENCE.quote },
  fees: { trade: { ...dollars, amount: '12.37' } },
  rate: { base: bitcoin, quote: dollars, price: '96021.3817' },
});

/** 0.7 kB: with members that the SDK does not know, as a service adds them over time. */
export const QUOTE_READ = {
  data: {
    ...quote(QUOTE),
    settlement: {
      account_id: ACCOUNT,
      method_id: values.uuid(),
      reference: values.hex(32),
      wallet: `0x${values.hex(40)}`,
    },
  },
};

export const QUOTE_CREATED = { data: quote(EVIDENCE.write) };
