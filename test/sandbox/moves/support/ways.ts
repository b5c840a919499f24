import { bodies } from '../../support/partner.js';
import { DAY_MS, type Data, type Driven } from './driven.js';

/** A resource under way: the moves that take it to its end, and how long time takes for the same. */
export interface Way {
  readonly name: string;
  /** Returns the id. */
  start(driven: Driven): Promise<string>;
  readonly moves: readonly string[];
  readonly ms: number;
  read(driven: Driven, id: string): Promise<Data>;
  readonly end: string;
}

export const pathOf = (kind: string) => (driven: Driven, id: string) =>
  driven.get(`${driven.partner.account}/${kind}/${id}`);
const ofLedger = (type: string) => async (driven: Driven, id: string) =>
  (await driven.partner.get(`/v1/funds/transactions?type=${type}`)).body.data.find((one: Data) => one.ref_id === id);
const deposited = async (driven: Driven, id: string) =>
  (await driven.read('deposits')).find((one: Data) => one.id === id);

async function withdrawn(driven: Driven): Promise<string> {
  const body = { asset_symbol: 'BTC', key: 'cold-storage', amount: '0.01' };
  return (await driven.post(`${driven.partner.account}/funds/withdrawals`, body)).ref_id;
}

export async function transferred(driven: Driven): Promise<string> {
  return (await driven.post(`${driven.partner.account}/transfers`, bodies.transfer)).id;
}

async function arrivedAtAddress(driven: Driven): Promise<string> {
  const { account, partner } = driven;
  const [{ id }] = (await partner.get(`${partner.account}/funds/deposits/methods/XRP`)).body.data;
  const order = { asset_symbol: 'XRP', method_id: id };
  const { address, tag, memo } = await driven.post(`${partner.account}/funds/deposits/addresses`, order);
  const marks = { ...(tag === null ? {} : { tag }), ...(memo === null ? {} : { memo }) };
  return (await driven.move('accounts/deposit', account, { address, amount: '20', ...marks })).ref_id;
}

async function expected(driven: Driven): Promise<{ id: string; inbound: string }> {
  const asset = { symbol: 'USD', type: 'fiat', amount: '75.00' };
  const { id, inbound } = await driven.post(`${driven.partner.account}/deposits`, { asset, via: 'ach' });
  return { id, inbound: inbound.id };
}

async function converted(driven: Driven): Promise<string> {
  return (await driven.post(`${driven.partner.account}/conversions`, bodies.conversion)).id;
}

const TO_BANK = { from: { type: 'balance', symbol: 'USD', amount: '25' }, to: { type: 'bank', symbol: 'EUR' } };
const convertedOnDemand = async (driven: Driven): Promise<string> =>
  (await driven.move('accounts/convert', driven.account, TO_BANK)).id;

export async function onchain(driven: Driven): Promise<string> {
  return (await driven.post(`${driven.partner.account}/onchain-quotes`, bodies.onchainQuote)).id;
}

async function submitted(driven: Driven): Promise<string> {
  const id = await onchain(driven);
  await driven.move('onchainQuotes/submit', id);
  return id;
}

const movedOn = (start: Way['start'], path: string): Way['start'] => {
  return async (driven) => {
    const id = await start(driven);
    await driven.move(path, id);
    return id;
  };
};

const readConversion: Way['read'] = (driven, id) => driven.get(`/v1/conversions/${id}`);
const readTransfer: Way['read'] = (driven, id) => driven.get(`/v1/transfers/${id}`);
const readOnDemand: Way['read'] = async (driven, id) => {
  const { body } = await driven.partner.get(`${driven.partner.account}/on-demand-conversions?page_size=3`);
  return body.data.find((one: Data) => one.id === id);
};

export const WAYS: readonly Way[] = [
  {
    name: 'a quote',
    start: (driven) => driven.executing(),
    moves: ['quotes/settle'],
    ms: 2_000,
    read: pathOf('quotes'),
    end: 'executed',
  },
  {
    name: 'a quote that fails',
    start: movedOn((driven) => driven.executing(), 'quotes/fail'),
    moves: ['quotes/settle'],
    ms: 2_000,
    read: pathOf('quotes'),
    end: 'failed',
  },
  {
    name: 'a quote without money',
    start: (driven) => driven.executing('99999999'),
    moves: ['quotes/settle'],
    ms: 2_000,
    read: pathOf('quotes'),
    end: 'failed',
  },
  {
    name: 'an on-chain quote',
    start: submitted,
    moves: ['onchainQuotes/settle'],
    ms: 15_000,
    read: pathOf('onchain-quotes'),
    end: 'executed',
  },
  {
    name: 'an on-chain quote that fails',
    start: movedOn(submitted, 'onchainQuotes/fail'),
    ms: 15_000,
    moves: ['onchainQuotes/settle'],
    read: pathOf('onchain-quotes'),
    end: 'failed',
  },
  {
    name: 'a withdrawal',
    start: withdrawn,
    ms: 65_000,
    read: ofLedger('withdrawal'),
    end: 'success',
    moves: ['withdrawals/complete'],
  },
  {
    name: 'a withdrawal on hold',
    start: movedOn(withdrawn, 'withdrawals/hold'),
    ms: 65_000,
    read: ofLedger('withdrawal'),
    end: 'success',
    moves: ['withdrawals/complete'],
  },
  {
    name: 'a withdrawal that fails',
    start: movedOn(withdrawn, 'withdrawals/fail'),
    ms: 65_000,
    read: ofLedger('withdrawal'),
    end: 'failure',
    moves: ['withdrawals/complete'],
  },
  {
    name: 'a transfer',
    start: transferred,
    moves: ['transfers/process', 'transfers/complete'],
    ms: 15_000,
    read: readTransfer,
    end: 'completed',
  },
  {
    name: 'a transfer that fails',
    start: movedOn(transferred, 'transfers/fail'),
    moves: ['transfers/complete'],
    ms: 15_000,
    read: readTransfer,
    end: 'failed',
  },
  {
    name: 'a deposit at an address',
    start: arrivedAtAddress,
    ms: 60_000,
    read: ofLedger('deposit'),
    moves: ['deposits/receive', 'deposits/credit'],
    end: 'credited',
  },
  {
    name: 'a deposit at an address, at once',
    start: arrivedAtAddress,
    ms: 60_000,
    read: ofLedger('deposit'),
    moves: ['deposits/credit'],
    end: 'credited',
  },
  {
    name: 'an expected deposit',
    async start(driven) {
      const { id, inbound } = await expected(driven);
      await driven.move('deposits/arrive', inbound);
      return id;
    },
    moves: ['deposits/credit'],
    ms: 30_000,
    read: deposited,
    end: 'credited',
  },
  {
    name: 'an expected deposit that never comes',
    start: async (driven) => (await expected(driven)).id,
    moves: ['deposits/expire'],
    ms: 7 * DAY_MS,
    read: deposited,
    end: 'expired',
  },
  {
    name: 'a conversion',
    start: converted,
    moves: ['conversions/settle', 'conversions/complete'],
    ms: 120_000,
    read: readConversion,
    end: 'completed',
  },
  {
    name: 'a conversion that fails',
    start: movedOn(converted, 'conversions/fail'),
    ms: 120_000,
    moves: ['conversions/complete'],
    read: readConversion,
    end: 'failed',
  },
  {
    name: 'an on-demand conversion',
    start: convertedOnDemand,
    ms: 120_000,
    read: readOnDemand,
    moves: ['onDemandConversions/settle', 'onDemandConversions/complete'],
    end: 'completed',
  },
  {
    name: 'an on-demand conversion that fails',
    start: movedOn(convertedOnDemand, 'onDemandConversions/fail'),
    moves: ['onDemandConversions/complete'],
    ms: 120_000,
    read: readOnDemand,
    end: 'failed',
  },
];
