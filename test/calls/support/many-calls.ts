/**
 * A process that makes many calls on one long-lived signal, lets them end in one way, and tells what is left of them. It ends by itself
 * if nothing is. Arguments: address, API key, secret, way of ending, number of calls. Needs --expose-gc.
 */
import { getEventListeners, setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerClient } from 'partner-sdk';
import { heap } from '../../support/collect-garbage.js';
import { CONNECTIONS, HELD, type Report, USER } from './many-calls-report.js';

const [baseUrl = '', apiKey = '', apiSecret = '', ending = '', count = ''] = process.argv.slice(2);

/** Calls at once, where they are not all made at once. */
const WAVE = 500;

const warnings: string[] = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const client = new PartnerClient({ baseUrl, apiKey, apiSecret, attemptTimeout: 2_000, timeout: 600_000 });
const ends: Record<string, number> = {};

type Call = PromiseLike<unknown>;

/** Counts how the calls end. */
async function settle(calls: readonly Call[]): Promise<void> {
  for (const end of await Promise.allSettled(calls)) {
    const name = end.status === 'fulfilled' ? 'success' : String((end.reason as Error).name);
    ends[name] = (ends[name] ?? 0) + 1;
  }
}

async function inWaves(total: number, wave: (place: number) => readonly Call[]): Promise<void> {
  for (let place = 0; place < total; ) {
    const calls = wave(place);
    place += calls.length;
    await settle(calls);
  }
}

const times = <T>(length: number, make: (place: number) => T): T[] => Array.from({ length }, (_, place) => make(place));

/** Calls that wait in the lane or are on the wire. */
function inLane(): number {
  const { inFlight = 0, waiting = 0 } = client.stats().lanes[0] ?? {};
  return inFlight + waiting;
}

/** Each makes so many calls, all of which hold on to one signal in some way, and waits for their end. */
const ENDINGS: Readonly<Record<string, (total: number) => Promise<AbortSignal>>> = {
  async answered(total) {
    const { signal } = new AbortController();
    await inWaves(total, () => times(WAVE, () => client.users.get(USER, { signal })));
    return signal;
  },

  async 'refused, repeated, late or wrong'(total) {
    const { signal } = new AbortController();
    const calls = [
      () => client.users.get(USER, { signal }),
      () => client.request({ method: 'GET', path: '/v1/refused', signal }),
      () => client.request({ method: 'GET', path: '/v1/refused-once', signal }),
      () => client.users.get(USER, { signal, timeout: 1 }),
      () => client.users.get('too short', { signal }),
    ];
    await inWaves(total, () => times(WAVE, (place) => (calls[place % calls.length] ?? client.users.get)(USER)));
    return signal;
  },

  /** In the same turn, in the queue, on the wire; each call by a signal of its own and the long-lived one. */
  async 'aborted one by one'(total) {
    const { signal } = new AbortController();
    await inWaves(total, () =>
      times(50, (place) => {
        const own = new AbortController();
        const call = client.users.get(USER, { signal: AbortSignal.any([signal, own.signal]) });
        if (place % 3 === 0) own.abort();
        else if (place % 3 === 1) setImmediate(() => own.abort());
        else setTimeout(() => own.abort(), place % 8);
        return call;
      }),
    );
    return signal;
  },

  /** As before, with controllers that follow the long-lived one by a listener of the application's. */
  async 'aborted by followers'(total) {
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    await inWaves(total, () =>
      times(50, async (place) => {
        const own = new AbortController();
        const follow = () => own.abort();
        signal.addEventListener('abort', follow);
        setTimeout(follow, place % 8);
        try {
          await client.users.get(USER, { signal: own.signal });
        } finally {
          signal.removeEventListener('abort', follow);
        }
      }),
    );
    return signal;
  },

  async 'aborted all at once'(total) {
    const controller = new AbortController();
    const { signal } = controller;
    const calls = settle(times(total, () => client.users.get(HELD, { signal })));
    while (inLane() < total) await sleep(10);
    controller.abort();
    await calls;
    return signal;
  },

  async 'aborted beforehand'(total) {
    const signal = AbortSignal.abort();
    await settle(times(total, () => client.users.get(USER, { signal })));
    return signal;
  },
};

/** The first of them: thousands of leaked timers would make a message that nobody can read. */
const resources = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => /TCP|TLS|Timeout/.test(name))
    .slice(0, 10);

/** What is still on the wire may take until its attempt's time is over; then nothing but a connection is left. */
async function comeToRest(): Promise<void> {
  const isBusy = () => client.stats().running + inLane() > 0 || resources().length > 1;
  for (let waited = 0; isBusy() && waited < 20_000; waited += 20) await sleep(20);
}

/** How many connections the service has open: more than the client knows of only until the service has heard that others are gone. */
async function connections(): Promise<Report['connections']> {
  const known = () => client.stats().lanes[0]?.connections;
  let open = -1;
  for (let asked = 0; open !== known() && asked < 200; asked += 1) {
    if (asked > 0) await sleep(20);
    open = await client.request<number>({ method: 'GET', path: CONNECTIONS });
  }
  return { open, known: known() };
}

const end = ENDINGS[ending];
if (end === undefined) throw new Error(`There is no ${ending}`);
const total = Number(count);
// What the first calls compile and cache is no leak.
await end(total / 4);
await comeToRest();

/** A leak grows each time; what else a heap grows by, it does not for long. */
const ROUNDS = 3;
/** Bytes per call that are not worth another look. */
const FLAT = 10;

let grown = Number.POSITIVE_INFINITY;
let ms = 0;
let listeners = 0;
for (let round = 0; round < ROUNDS && grown > FLAT * total; round += 1) {
  for (const name of Object.keys(ends)) delete ends[name];
  const before = await heap();
  const begun = performance.now();
  const signal = await end(total);
  ms = Math.round(performance.now() - begun);
  await comeToRest();
  grown = Math.min(grown, (await heap()) - before);
  listeners += getEventListeners(signal, 'abort').length;
}

const report: Report = {
  ends,
  ms,
  grown,
  listeners,
  warnings,
  stats: client.stats(),
  open: resources(),
  connections: await connections(),
  closed: await client.close().then(resources),
};
process.stdout.write(JSON.stringify(report));
