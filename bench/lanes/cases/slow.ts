import type { ClientOptions, PartnerClient } from 'partner-sdk';
import type { Scale } from '../../scenarios.js';
import { Backend, LINK, USUAL } from '../backend.js';
import { failed, quantile, round, table } from '../figures.js';
import { type Call, closedLoop, type Load, openLoop } from '../load.js';
import { callOf, freshClient } from '../sdk.js';
import type { Behaviour } from '../service.js';

type Run = (seconds: number, call: Call) => Promise<Load>;

/** Callers in a closed loop, or calls a second that arrive evenly. */
const LOADS = {
  '64 callers': (seconds, call) => closedLoop(64, seconds, call),
  '200/s': (seconds, call) => openLoop(200, seconds, call),
  '20/s': (seconds, call) => openLoop(20, seconds, call),
} satisfies Record<string, Run>;

interface Variant {
  readonly options: ClientOptions;
  readonly nonces: Behaviour['nonces'];
}

// What the service could do for a client that need not keep any order.
const POOL: Variant = { options: { nonceOrder: 'unordered' }, nonces: 'any' };
const ADAPTIVE: Variant = { options: {}, nonces: 'rising' };
const STRICT: Variant = { options: { nonceOrder: 'strict' }, nonces: 'rising' };
const within = (attemptTimeout: number): Variant => ({ options: { attemptTimeout }, nonces: 'rising' });

/** A service some of whose answers take longer. */
interface Scene {
  readonly title: string;
  readonly behaviour: Partial<Behaviour>;
  readonly loads: readonly (keyof typeof LOADS)[];
  readonly variants: Readonly<Record<string, Variant>>;
}

const RARE: Partial<Behaviour> = { slow: { share: 0.01, ms: 2000 } };
const ALL_LOADS = ['64 callers', '200/s', '20/s'] as const;
const IN_DETAIL = {
  'pool, any order': POOL,
  strict: STRICT,
  adaptive: ADAPTIVE,
  'adaptive, attemptTimeout 3 s': within(3000),
  'adaptive, attemptTimeout 1 s': within(1000),
};
const BRIEFLY = { 'pool, any order': POOL, adaptive: ADAPTIVE };

const SCENES: readonly Scene[] = [
  { title: '1 % take 2 s', behaviour: RARE, loads: ALL_LOADS, variants: IN_DETAIL },
  // Where a slow answer is short, or the rule.
  {
    title: '1 % take 300 ms',
    behaviour: { slow: { share: 0.01, ms: 300 } },
    loads: ['64 callers', '200/s'],
    variants: BRIEFLY,
  },
  {
    title: '5 % take 150 ms',
    behaviour: { slow: { share: 0.05, ms: 150 } },
    loads: ['64 callers', '200/s'],
    variants: BRIEFLY,
  },
  {
    title: 'all take 500 to 700 ms',
    behaviour: { answer: [500, 700] },
    loads: ['64 callers', '20/s'],
    variants: BRIEFLY,
  },
];

/** A slow answer keeps those behind it from coming through, and must not drag them into repeats. */
export async function slow({ seconds }: Scale): Promise<void> {
  const backend = await Backend.start({ behaviour: USUAL, link: LINK });
  for (const [place, { title, behaviour, loads, variants }] of SCENES.entries()) {
    for (const load of loads) {
      console.log(`${title}; ${load}:\n`);
      const rows: Record<string, string | number>[] = [];
      for (const [name, variant] of Object.entries(variants)) {
        // With this seed the first answer is not a slow one: a lane that knows nothing yet is patient.
        await backend.behave({ ...USUAL, ...behaviour, nonces: variant.nonces, seed: 3 });
        const apiKey = `slow-${place}-${load}-${name}-`.replaceAll(' ', '-');
        rows.push({ variant: name, ...(await row(backend, apiKey, variant.options, LOADS[load], seconds(20))) });
      }
      table(rows);
    }
  }
  await backend.stop();
}

async function row(backend: Backend, apiKey: string, options: ClientOptions, run: Run, seconds: number) {
  const client = await freshClient(backend.url, apiKey, options);
  const watch = new LaneWatch(client);
  const result = await run(seconds, callOf(client));
  const lane = watch.stop();
  await client.close();
  return { ...figures(result), ...lane, ...(await onTheWire(backend, apiKey, result)) };
}

function figures({ calls, rate, latencies, errors }: Load) {
  return {
    'calls/s': round(rate),
    p50: round(quantile(latencies, 0.5)),
    p95: round(quantile(latencies, 0.95)),
    p99: round(quantile(latencies, 0.99)),
    calls,
    failed: failed([{ errors }]),
  };
}

async function onTheWire(backend: Backend, apiKey: string, { calls }: Load) {
  const { requests, refused, connections } = await backend.counts(apiKey);
  return { 'requests/call': round(requests / calls, 3), refusals: refused, connections };
}

/** Watches the gap that a client's only lane leaves between two starts. */
class LaneWatch {
  readonly #client: PartnerClient;
  readonly #timer: NodeJS.Timeout;
  #largestGap = 0;

  constructor(client: PartnerClient) {
    this.#client = client;
    this.#timer = setInterval(() => this.#look(), 20);
  }

  #look() {
    const [lane] = this.#client.stats().lanes;
    if (lane !== undefined) this.#largestGap = Math.max(this.#largestGap, lane.gap);
    return lane;
  }

  stop() {
    clearInterval(this.#timer);
    const lane = this.#look();
    return {
      way: lane?.way ?? '–',
      'gap ms, largest/last': `${round(this.#largestGap, 2)}/${round(lane?.gap ?? 0, 2)}`,
      races: lane?.races ?? 0,
    };
  }
}
