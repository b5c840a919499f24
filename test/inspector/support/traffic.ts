import { setTimeout as sleep } from 'node:timers/promises';
import type { PartnerClient } from 'partner-sdk';
import type { Sandbox } from 'partner-sdk/sandbox';

/** Requests on their way at once while a sandbox is filled. */
const IN_FLIGHT = 50;

const SIDES = {
  from: { symbol: 'USD', type: 'fiat', amount: '10.00' },
  to: { symbol: 'BTC', type: 'crypto' },
} as const;

/** Fills the timeline with so many entries: requests that are refused. */
export async function fill(sandbox: Sandbox, entries: number): Promise<void> {
  const send = (id: number) => sandbox.fetch(new Request(`http://sandbox.test/v1/users/${id}?with=a-query`));
  for (let sent = 0; sent < entries; sent += IN_FLIGHT) {
    await Promise.all(Array.from({ length: IN_FLIGHT }, (_, index) => send(sent + index)));
  }
}

/** So often requests are sent: a tenth of a second's at once. */
const BEAT_MS = 100;

/** Sends reads, writes, and refused requests at a pace. Returns the number of requests. */
export async function traffic(
  { fixtures: { userId, accountId } }: Sandbox,
  client: PartnerClient,
  url: string,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<number> {
  const kinds: readonly (() => PromiseLike<unknown>)[] = [
    () => client.users.get(userId),
    () => client.accounts.quotes.create(accountId, SIDES),
    () => client.assets.list(),
    () => fetch(`${url}/v1/webhooks?nonsense=1`),
  ];
  const began = performance.now();
  const running: PromiseLike<unknown>[] = [];
  for (let beat = 0; beat < seconds * (1_000 / BEAT_MS); beat += 1) {
    while (running.length < ((beat + 1) * perSecond * BEAT_MS) / 1_000) {
      running.push((kinds[running.length % kinds.length] ?? kinds[0])?.() ?? Promise.resolve());
    }
    await sleep(Math.max(0, began + (beat + 1) * BEAT_MS - performance.now()));
  }
  await Promise.all(running);
  return running.length;
}
