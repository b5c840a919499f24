import { RedisServer } from '../../../test/support/redis.js';
import type { Scale } from '../../scenarios.js';
import { Backend, OVER_HTTP2 } from '../backend.js';
import { failed, median, round, sum, table, target } from '../figures.js';
import { type Drive, drive, type Member } from '../fleet.js';

const PROCESSES = 4;
const KEYS_PER_PROCESS = 2;
const CALLERS = 16;

const keys = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Four processes share out eight API keys by leases, against four that were given two each. */
export async function leases({ rounds, seconds }: Scale): Promise<void> {
  const redis = await RedisServer.start();
  const backend = await Backend.start(OVER_HTTP2);
  const all = keys('leased', PROCESSES * KEYS_PER_PROCESS);
  const lease = { url: redis.url, source: 'leases', keysPerProcess: KEYS_PER_PROCESS } as const;
  const shared = { address: backend.address, callers: CALLERS };
  const variants: Readonly<Record<string, (index: number) => Member>> = {
    leased: () => ({ ...shared, apiKeys: all, redis: lease }),
    fixed: (index) => ({ ...shared, apiKeys: keys(`fixed-${index}`, KEYS_PER_PROCESS) }),
  };
  const results = new Map<string, Drive[]>(Object.keys(variants).map((name) => [name, []]));
  for (let index = 0; index < rounds; index++) {
    for (const [prefix, member] of Object.entries(variants)) {
      const members = Array.from({ length: PROCESSES }, (_, place) => member(place));
      results.get(prefix)?.push(await drive(members, seconds(5), { backend, redis, prefix }));
    }
  }
  await backend.stop();
  await redis.stop();
  reportFleets(results, 'fixed');
  const leased = results.get('leased') ?? [];
  target('no refusal, no failure', sum(leased.map(({ refused, failures }) => refused + failures)) === 0);
  const [trips, calls] = [sum(leased.map(({ roundTrips }) => roundTrips)), sum(leased.map((one) => one.calls))];
  target(`no Redis round trip per call: ${trips} in ${calls} calls`, trips < calls / 100);
}

/** A table of what the variants did, with their rate over that of one of them in the same round. */
export function reportFleets(results: ReadonlyMap<string, readonly Drive[]>, reference: string): void {
  const rates = (results.get(reference) ?? []).map(({ rate }) => rate);
  const total = (drives: readonly Drive[], pick: (drive: Drive) => number) => sum(drives.map(pick));
  table(
    [...results].map(([variant, drives]) => {
      const calls = total(drives, (one) => one.calls);
      return {
        variant,
        'calls/s': round(median(drives.map(({ rate }) => rate))),
        [`× ${reference}`]: round(median(drives.map(({ rate }, index) => rate / (rates[index] ?? 0))), 2),
        p50: round(median(drives.map(({ p50 }) => p50))),
        p99: round(median(drives.map(({ p99 }) => p99))),
        calls,
        failed: failed(drives.flatMap(({ errors }) => errors.map((one) => ({ errors: one })))),
        refusals: total(drives, ({ refused }) => refused),
        'requests/call': round(total(drives, ({ requests }) => requests) / calls, 3),
        'Redis round trips': total(drives, ({ roundTrips }) => roundTrips),
        'per call': round(total(drives, ({ roundTrips }) => roundTrips) / calls, 4),
      };
    }),
  );
}
