import { Client } from 'undici';
import { Backend, LINK, USUAL } from './backend.js';
import { failed, median, round, sum, table, target } from './figures.js';
import { type Call, closedLoop, type Load } from './load.js';
import type { Scale } from './main.js';
import { ADDRESS, callOf, freshClient, loadSdk } from './sdk.js';
import type { Counts } from './service.js';

const CALLERS = 64;

const READ_PATH = '/v1/users/USER-0000-0001';
const SAVE_PATH = '/v1/accounts/ACCOUNT-0000-0001/funds/withdrawals/addresses';

/** Makes what one variant calls with, and ends it. */
type Variant = (
  url: string,
  apiKey: string,
) => Promise<{ readonly call: Call; readonly close: () => Promise<unknown> }>;

const VARIANTS: Readonly<Record<string, Variant>> = {
  adaptive: (url, apiKey) => sdk(url, apiKey, {}),
  strict: (url, apiKey) => sdk(url, apiKey, { nonceOrder: 'strict' }),
  'unordered (a pool)': (url, apiKey) => sdk(url, apiKey, { nonceOrder: 'unordered' }),
  fetchTransport: async (url, apiKey) => sdk(url, apiKey, { transport: (await loadSdk()).fetchTransport() }),
  'bare undici pipeline': bareUndici,
};

interface Round extends Load, Counts {}

/** 64 calls in flight with one API key, to a service that refuses nonces which arrive out of order. */
export async function order({ seconds, rounds }: Scale): Promise<void> {
  const backend = await Backend.start({ behaviour: USUAL, link: LINK });
  const results = new Map<string, Round[]>(Object.keys(VARIANTS).map((name) => [name, []]));
  for (let index = 0; index < rounds; index++) {
    for (const [name, variant] of Object.entries(VARIANTS)) {
      results.get(name)?.push(await once(backend, variant, `order-${name.replaceAll(' ', '-')}-${index}-`, seconds(3)));
    }
  }
  await backend.stop();
  report(results);
}

async function once(backend: Backend, variant: Variant, apiKey: string, seconds: number): Promise<Round> {
  const { call, close } = await variant(backend.url, apiKey);
  const load = await closedLoop(CALLERS, seconds, call);
  await close();
  return { ...load, ...(await backend.counts(apiKey)) };
}

function report(results: ReadonlyMap<string, readonly Round[]>): void {
  const strict = results.get('strict') ?? [];
  const ratio = (rounds: readonly Round[]) =>
    median(rounds.map(({ rate }, index) => rate / (strict[index]?.rate ?? 0)));
  const total = (rounds: readonly Round[], pick: (round: Round) => number) => sum(rounds.map(pick));
  const wire = (rounds: readonly Round[]) =>
    total(rounds, ({ requests }) => requests) / total(rounds, ({ calls }) => calls);
  table(
    [...results].map(([variant, rounds]) => ({
      variant,
      'calls/s': round(median(rounds.map(({ rate }) => rate))),
      '× strict': round(ratio(rounds), 1),
      calls: total(rounds, ({ calls }) => calls),
      failed: failed(rounds),
      refusals: total(rounds, ({ refused }) => refused),
      'requests/call': round(wire(rounds), 3),
      connections: round(median(rounds.map(({ connections }) => connections))),
    })),
  );
  const adaptive = results.get('adaptive') ?? [];
  target('no call fails', total(adaptive, ({ failures }) => failures) === 0);
  target(`at most 1.02 requests per call: ${round(wire(adaptive), 4)}`, wire(adaptive) <= 1.02);
  target(`at least 20 times strict: ${round(ratio(adaptive), 1)}`, ratio(adaptive) >= 20);
}

async function sdk(url: string, apiKey: string, options: Parameters<typeof freshClient>[2]) {
  const client = await freshClient(url, apiKey, options);
  return { call: callOf(client), close: () => client.close() };
}

/** The prototype of E19: what one pipelined connection can carry when nothing is signed, checked or repeated. */
async function bareUndici(url: string, apiKey: string) {
  const client = new Client(url, { pipelining: CALLERS });
  const pipelined = { blocking: false, idempotent: true };
  let nonce = BigInt(Date.now()) * 1_000_000n;
  const call = async (index: number) => {
    const headers = { 'api-key': apiKey, 'api-nonce': String(++nonce) };
    const answer = await (index % 2 === 0
      ? client.request({ method: 'GET', path: READ_PATH, headers, ...pipelined })
      : client.request({ method: 'POST', path: SAVE_PATH, headers, body: JSON.stringify(ADDRESS), ...pipelined }));
    await answer.body.json();
    if (answer.statusCode !== 200) throw new Error('refused');
  };
  return { call, close: () => client.close() };
}
