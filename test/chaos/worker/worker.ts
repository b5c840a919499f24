/** One process that makes its share of a phase's calls. Started with an IPC channel; ends by itself when nothing is left. */
import { getEventListeners } from 'node:events';
import { type ClientOptions, fetchTransport, undiciTransport } from '../../../src/index.js';
import { Leftovers } from '../judge/leftovers.js';
import { Dice } from '../plan/dice.js';
import { kindOf, mustNotRepeat, planOf } from '../plan/plan.js';
import { ChaosCaller } from './caller.js';
import type { Task, WorkerMessage } from './messages.js';
import { clientOf } from './sabotage.js';
import { openSharedSource } from './shared-source.js';

/** How many calls are in flight, one after the other. */
const WIDTHS = [1, 4, 8, 16, 32, 48, 64, 64] as const;

/** How far a clock may be from the right time, in milliseconds: two of them less far apart than a hold lasts that a Redis without data waits for. */
const CLOCK_OFF = 600;

/** How often a clock is set, and by how much, in milliseconds. */
const CLOCK_EVERY = 2_000;
const CLOCK_STEP = 300;

/** How often, and for how long, the event loop stands still, in milliseconds. */
const BLOCKED_EVERY = 1_500;
const BLOCKED_FOR = 150;

/** How long closing may take on a busy machine, in milliseconds: less than for how long undici keeps what is not closed. */
const PATIENCE = 2_000;

/** The same for the platform's `fetch`, which waits for connections that it is opening, up to 10 s, before it closes them. */
const PLATFORM_PATIENCE = 12_000;

function tell(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, {}, () => resolve());
    else resolve();
  });
}

for (const event of ['unhandledRejection', 'warning'] as const) {
  process.on(event, (error: unknown) => void tell({ type: 'incident', what: `${event}: ${textOf(error)}` }));
}
process.on('uncaughtException', (error) => {
  // As it would be without us.
  void tell({ type: 'incident', what: `uncaughtException: ${textOf(error)}` }).then(() => process.exit(1));
});

process.once('message', (task: Task) => {
  void run(task).then(async (left) => {
    await tell({ type: 'done', left });
    process.disconnect();
  });
});
void tell({ type: 'ready' });

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

async function run(task: Task): Promise<string[]> {
  unsettleClock(task);
  const leftovers = new Leftovers();
  const longLived = new AbortController();
  const source = await openSharedSource(task);
  const options = { ...optionsOf(task), ...(source === undefined ? {} : { nonce: source.nonce }) };
  const client = clientOf(options, longLived.signal, task.sabotage);
  // Another client with the same API keys, which it lists in another order.
  const settler = client.withOptions({ credentials: task.credentials.toReversed() });
  const caller = new ChaosCaller(client, settler, task, longLived.signal);
  const skip = new Set(task.skip);
  const ids = Array.from({ length: task.calls }, (_, id) => id).filter(
    (id) => id % task.processes === task.process && !skip.has(id),
  );
  const blocking = blockNowAndThen();
  let closing: Promise<void> | undefined;
  const paging = new Set<Promise<void>>();
  const makeOne = (id: number) => {
    const made = make(id, task, caller);
    const { kind, settles } = planOf(task, id);
    if (kindOf(kind).pages || settles) paging.add(made);
    return made.finally(() => paging.delete(made));
  };
  await inParallel(ids, widthsOf(task), makeOne, () => {
    // Where calls first tell that they begin, the last ones may not run yet.
    if (task.resumable) return;
    // Calls that run are let end, but not requests that are still to come.
    closing = Promise.all(paging).then(() => client.close());
  });
  clearInterval(blocking);
  await (closing ?? client.close());
  await settler.close();
  await source?.close();
  if (task.transport === 'fetch') await closePlatformConnections();
  const left = await leftovers.afterClosing(task.transport === 'fetch' ? PLATFORM_PATIENCE : PATIENCE);
  return [...left, ...getEventListeners(longLived.signal, 'abort').map(() => 'listener on the long-lived signal')];
}

/**
 * Makes this process's clock wrong: where nonces are shared it is another machine's, which does not agree with the others'; where they are its
 * own, it is set forward and back in between. A process that is killed and started again with keys of its own keeps its clock: nothing
 * but the clock tells it where to go on.
 */
function unsettleClock({ seed, phase, process, incarnation, nonces, resumable }: Task): void {
  const now = Date.now;
  const dice = new Dice(seed, phase, 'clock', process, incarnation);
  const apart = nonces === 'own' ? 0 : dice.between(-CLOCK_OFF, CLOCK_OFF);
  const steps = nonces === 'own' && !resumable;
  Date.now = () => {
    const step = steps && Math.floor(performance.now() / CLOCK_EVERY) % 2 === 1 ? CLOCK_STEP : 0;
    return Math.round(now() + apart + step);
  };
}

/** Answers wait meanwhile, and connections that have ended are not seen. */
function blockNowAndThen(): ReturnType<typeof setInterval> {
  return setInterval(() => {
    const until = performance.now() + BLOCKED_FOR;
    while (performance.now() < until);
  }, BLOCKED_EVERY);
}

function optionsOf({ url, ca, credentials, nonceOrder, transport }: Task): ClientOptions {
  // The platform's fetch has been told of the certificate by its environment.
  const chosen = transport === 'fetch' ? fetchTransport() : undiciTransport(ca === undefined ? {} : { tls: { ca } });
  return { baseUrl: url, credentials, nonceOrder, transport: chosen };
}

/** Those of `fetch` are the platform's, which keeps them for a while. */
async function closePlatformConnections(): Promise<void> {
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (dispatcher instanceof Object && 'destroy' in dispatcher && typeof dispatcher.destroy === 'function') {
    await dispatcher.destroy();
  }
}

/** How many calls are in flight: another number every now and then. */
function widthsOf({ seed, phase, process }: Task): (place: number) => number {
  const dice = new Dice(seed, phase, 'widths', process);
  let width = 1;
  let until = 0;
  return (place) => {
    if (place >= until) {
      width = dice.pick(WIDTHS);
      until = place + Math.max(10, width * 6);
    }
    return width;
  };
}

async function make(id: number, task: Task, caller: ChaosCaller): Promise<void> {
  const plan = planOf(task, id);
  if (mustNotRepeat(task, plan)) await tell({ type: 'began', id });
  const end = await caller.make(plan);
  if (end !== undefined) await tell({ type: 'ended', end });
}

/** Does the job for each, so many at a time; `allBegun` is called while the last of them run. */
function inParallel<T>(
  values: readonly T[],
  widthAt: (place: number) => number,
  job: (value: T) => Promise<void>,
  allBegun: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let running = 0;
    const more = () => {
      if (running === 0 && next === values.length) resolve();
      for (let value = values[next]; value !== undefined && running < widthAt(next); value = values[next]) {
        next++;
        running++;
        job(value).then(() => {
          running--;
          more();
        }, reject);
        // A list begins when it is awaited, which is a moment later.
        if (next === values.length) setImmediate(allBegun);
      }
    };
    more();
  });
}
