import type { Scale } from '../../scenarios.js';
import { type Address, Backend, LINK, type Setup, USUAL } from '../backend.js';
import { failed, median, round, sum, table, target } from '../figures.js';
import { type Call, closedLoop, type Load } from '../load.js';
import { ADDRESS, callOf, freshClient, loadSdk } from '../sdk.js';
import type { Counts } from '../service.js';
import { UncheckedPool } from '../unchecked-pool.js';

const CALLERS = 64;

const READ_PATH = '/v1/users/USER-0000-0001';
const SAVE_PATH = '/v1/accounts/ACCOUNT-0000-0001/funds/withdrawals/addresses';

/** What stands behind the link. */
const SETUPS = {
  'HTTP/1.1': { behaviour: USUAL, link: LINK },
  'HTTP/1.1, unchecked': { behaviour: { ...USUAL, nonces: 'any' }, link: LINK },
  'HTTP/2': { behaviour: USUAL, link: LINK, http2: { handling: 'in order' } },
  'HTTP/2, shuffled': { behaviour: USUAL, link: LINK, http2: { handling: 'shuffled' } },
} as const satisfies Record<string, Setup>;

type SetupName = keyof typeof SETUPS;

/** Makes what one variant calls with, and ends it. */
type Create = (
  address: Address,
  apiKey: string,
) => Promise<{ readonly call: Call; readonly close: () => Promise<unknown> }>;

interface Variant {
  readonly behind: SetupName;
  readonly create: Create;
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  'default, HTTP/1.1': { behind: 'HTTP/1.1', create: (address, apiKey) => sdk(address, apiKey) },
  'default, HTTP/2': { behind: 'HTTP/2', create: (address, apiKey) => sdk(address, apiKey) },
  'default, HTTP/2, shuffled': { behind: 'HTTP/2, shuffled', create: (address, apiKey) => sdk(address, apiKey) },
  strict: { behind: 'HTTP/1.1', create: (address, apiKey) => sdk(address, apiKey, { nonceOrder: 'strict' }) },
  unordered: { behind: 'HTTP/1.1', create: (address, apiKey) => sdk(address, apiKey, { nonceOrder: 'unordered' }) },
  fetchTransport: {
    behind: 'HTTP/1.1',
    create: async (address, apiKey) => sdk(address, apiKey, { transport: (await loadSdk()).fetchTransport() }),
  },
  'pool, unchecked': { behind: 'HTTP/1.1, unchecked', create: uncheckedPool },
};

/** The least times one call at a time, and the most refusals for each call. */
const TARGETS: Readonly<Record<string, readonly [times: number, refused: number]>> = {
  'default, HTTP/1.1': [2, 0.05],
  'default, HTTP/2': [20, 0.01],
};

interface Round extends Load, Counts {}

/** 64 calls in flight with one API key, to a service that refuses nonces which arrive out of order. */
export async function order({ seconds, rounds }: Scale): Promise<void> {
  const results = new Map<string, Round[]>(Object.keys(VARIANTS).map((name) => [name, []]));
  for (let index = 0; index < rounds; index++) {
    for (const [name, variant] of Object.entries(VARIANTS)) results.get(name)?.push(await once(variant, seconds(3)));
  }
  report(results);
}

async function once({ behind, create }: Variant, seconds: number): Promise<Round> {
  const backend = await Backend.start(SETUPS[behind]);
  const { call, close } = await create(backend.address, 'order');
  const load = await closedLoop(CALLERS, seconds, call);
  await close();
  const counts = await backend.counts('order');
  await backend.stop();
  return { ...load, ...counts };
}

function report(results: ReadonlyMap<string, readonly Round[]>): void {
  const strict = results.get('strict') ?? [];
  const ratio = (rounds: readonly Round[]) =>
    median(rounds.map(({ rate }, index) => rate / (strict[index]?.rate ?? 0)));
  const total = (rounds: readonly Round[], pick: (round: Round) => number) => sum(rounds.map(pick));
  const perCall = (rounds: readonly Round[], pick: (round: Round) => number) =>
    total(rounds, pick) / total(rounds, ({ calls }) => calls);
  const refusedPerCall = (rounds: readonly Round[]) => perCall(rounds, ({ refused }) => refused);
  table(
    [...results].map(([variant, rounds]) => ({
      variant,
      'calls/s': round(median(rounds.map(({ rate }) => rate))),
      '× strict': round(ratio(rounds), 1),
      calls: total(rounds, ({ calls }) => calls),
      failed: failed(rounds),
      refusals: total(rounds, ({ refused }) => refused),
      'refused per call': round(refusedPerCall(rounds), 4),
      'requests/call': round(
        perCall(rounds, ({ requests }) => requests),
        3,
      ),
      connections: round(median(rounds.map(({ connections }) => connections))),
    })),
  );
  for (const [name, [times, refused]] of Object.entries(TARGETS)) {
    const rounds = results.get(name) ?? [];
    target(`${name}: no call fails`, total(rounds, ({ failures }) => failures) === 0);
    const share = refusedPerCall(rounds);
    target(`${name}: at most ${refused} refused for each call: ${round(share, 4)}`, share <= refused);
    target(`${name}: at least ${times} times strict: ${round(ratio(rounds), 1)}`, ratio(rounds) >= times);
  }
}

async function sdk({ url, ca }: Address, apiKey: string, options: Parameters<typeof freshClient>[2] = {}) {
  const { undiciTransport } = await loadSdk();
  const tls = ca === undefined ? {} : { transport: undiciTransport({ tls: { ca } }) };
  const client = await freshClient(url, apiKey, { ...options, ...tls });
  return { call: callOf(client), close: () => client.close() };
}

async function uncheckedPool(address: Address, apiKey: string) {
  const pool = new UncheckedPool(address, apiKey);
  const call = (index: number) =>
    index % 2 === 0 ? pool.request('GET', READ_PATH) : pool.request('POST', SAVE_PATH, ADDRESS);
  return { call, close: () => pool.close() };
}
