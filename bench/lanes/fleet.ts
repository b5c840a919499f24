import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from '../../test/support/redis.js';
import type { Address, Backend } from './backend.js';
import { reply, start } from './child.js';
import { quantile, sum } from './figures.js';
import type { Load } from './load.js';
import type { Counts } from './service.js';

/** One process: a client with these API keys, and its callers. */
export interface Member {
  readonly address: Address;
  readonly apiKeys: readonly string[];
  readonly callers: number;
  /** Absent: the client's own nonces, which know of no other process. */
  readonly redis?: { readonly url: string; readonly source: 'leases' | 'nonces'; readonly keysPerProcess: number };
}

/** What the bench tells a process. */
export type Order = { readonly load: number } | 'close';

/** What came of the loads of all processes. */
export interface Drive extends Pick<Load, 'calls' | 'failures' | 'rate'>, Counts {
  readonly errors: readonly Load['errors'][];
  readonly p50: number;
  readonly p99: number;
  /** Scripts that Redis has run during the load: each is a round trip, and nothing else is asked of it. */
  readonly roundTrips: number;
}

/** Lets the processes call at the same time, each in a closed loop. Their API keys begin with `prefix`. */
export async function drive(
  members: readonly Member[],
  seconds: number,
  { backend, redis, prefix }: { readonly backend: Backend; readonly redis: RedisServer; readonly prefix: string },
): Promise<Drive> {
  const processes = members.map((member) => start('fleet-process.ts', member));
  // Each has made a call.
  await Promise.all(processes.map((child) => reply(child)));
  // What is taken in the background has been taken, too.
  await sleep(1000);
  const [scripts, counts] = [await redis.scripts(), await backend.counts(prefix)];
  const loads = await Promise.all(processes.map((child) => load(child, seconds)));
  const [scriptsAfter, after] = [await redis.scripts(), await backend.counts(prefix)];
  await Promise.all(processes.map(close));
  const latencies = loads.flatMap((one) => one.latencies).sort((a, b) => a - b);
  return {
    calls: latencies.length,
    failures: sum(loads.map(({ failures }) => failures)),
    rate: sum(loads.map(({ rate }) => rate)),
    errors: loads.map(({ errors }) => errors),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    requests: after.requests - counts.requests,
    refused: after.refused - counts.refused,
    connections: after.connections - counts.connections,
    roundTrips: scriptsAfter - scripts,
  };
}

async function load(child: ChildProcess, seconds: number): Promise<Load> {
  const order: Order = { load: seconds };
  child.send(order);
  return reply<Load>(child);
}

async function close(child: ChildProcess): Promise<void> {
  const order: Order = 'close';
  child.send(order);
  await once(child, 'exit');
}
