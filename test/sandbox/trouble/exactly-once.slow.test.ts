import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Outcome, PartnerClient, PartnerError } from '../../../src/index.js';
import { createSandbox, type JournalEntry, type Sandbox } from '../../../src/sandbox/index.js';
import { bitcoinAddress } from '../support/addresses.js';

/** 800 addresses, 500 wallets, 350 quotes that are created and executed. */
const [ADDRESSES, WALLETS, QUOTES] = [800, 500, 350];

/** How many callers there are at a time. */
const CALLERS = 48;

/** Verdicts of the journal that are no effect, whatever was before. */
const WITHOUT_EFFECT: readonly string[] = ['fault_before', 'nonce_not_rising', 'broken_body'];

/** What the sandbox did for each idempotency key. */
class Effects {
  readonly #verdicts = new Map<string, string[]>();

  note({ key, verdict }: JournalEntry): void {
    if (key !== undefined) this.#verdicts.set(key, [...this.of(key), verdict]);
  }

  of(key: string): readonly string[] {
    return this.#verdicts.get(key) ?? [];
  }

  tookPlace(key: string): boolean {
    return this.of(key).some((verdict) => !WITHOUT_EFFECT.includes(verdict));
  }

  /** The first success is the effect; what succeeds later under the same key is a replay, or one whose answer was struck. */
  expectOneEach(): void {
    for (const [key, verdicts] of this.#verdicts) {
      const [first, ...later] = verdicts.filter((verdict) => !WITHOUT_EFFECT.includes(verdict));
      expect(['accepted', 'fault_after'], `${key}: ${verdicts}`).toContain(first);
      for (const verdict of later) expect(['replayed', 'fault_after'], `${key}: ${verdicts}`).toContain(verdict);
    }
    expect(this.#verdicts.size).toBe(ADDRESSES + WALLETS + 2 * QUOTES);
  }
}

interface WriteOptions {
  readonly idempotencyKey: string;
  readonly maxRetries: number;
}

/** A partner's program: it repeats a write with the same key until it knows, and holds the client to what its errors say. */
class Caller {
  readonly seen: Record<Outcome, number> = { not_applied: 0, unknown: 0, applied: 0 };
  readonly #effects: Effects;
  #writes = 0;

  constructor(effects: Effects) {
    this.#effects = effects;
  }

  /**
   * Writes once, and again until the answer is read: a write that is known to be applied is asked for its answer with the same key.
   * Every fourth write leaves no repeat to the client, which then says of a single attempt what it did.
   */
  async write<T>(send: (options: WriteOptions) => Promise<T>): Promise<T> {
    const idempotencyKey = randomUUID();
    const maxRetries = this.#writes++ % 4 === 0 ? 0 : 2;
    for (let doubt = false; ; ) {
      try {
        return await send({ idempotencyKey, maxRetries });
      } catch (error) {
        if (!(error instanceof PartnerError)) throw error;
        // An outcome is about its own call: what an earlier one left in doubt, a refusal of a later one does not settle.
        if (!(doubt && error.outcome === 'not_applied')) this.#check(idempotencyKey, error);
        doubt ||= error.outcome !== 'not_applied';
      }
    }
  }

  #check(key: string, { outcome, message }: PartnerError): void {
    this.seen[outcome] += 1;
    if (outcome === 'unknown') return;
    expect(this.#effects.tookPlace(key), `${outcome}: ${message}`).toBe(outcome === 'applied');
  }
}

const range = (count: number) => Array.from({ length: count }, (_, place) => place);

/** Runs everything, so many at a time. */
async function inParallel(jobs: readonly (() => Promise<unknown>)[]): Promise<void> {
  const queue = jobs.values();
  await Promise.all(
    range(CALLERS).map(async () => {
      for (const job of queue) await job();
    }),
  );
}

/** The client's attempts end soon: some requests are never answered. Three API keys make three lanes, so one stalls alone. */
function connect(sandbox: Sandbox, baseUrl: string): PartnerClient {
  const credentials = [sandbox.credentials, sandbox.keys.issue(), sandbox.keys.issue()];
  return new PartnerClient({ baseUrl, credentials, otp: '123456', attemptTimeout: 250 });
}

test('2,000 keyed writes under 20 % faults of every kind: each takes effect exactly once', {
  timeout: 360_000,
}, async () => {
  const effects = new Effects();
  await using sandbox = createSandbox({ seed: 7, onRequest: (entry) => effects.note(entry) });
  const { accountId, methodId } = sandbox.fixtures;
  await using client = connect(sandbox, (await sandbox.listen()).url);
  const caller = new Caller(effects);
  const { quotes, wallets } = client.accounts;
  const { withdrawalAddresses } = client.funds;
  const known = sandbox.wallets.list().length;
  sandbox.troubles.add({ does: 'chaos', probability: 0.2 });

  const quoteIds = new Set<string>();
  const from = { symbol: 'USD', type: 'fiat', amount: '100.00' };
  const to = { symbol: 'BTC', type: 'crypto' };
  await inParallel([
    ...range(ADDRESSES).map((place) => async () => {
      const body = { asset_symbol: 'BTC', method_id: methodId, key: `name ${place}`, address: bitcoinAddress(place) };
      await caller.write((options) => withdrawalAddresses.save(accountId, body, options));
    }),
    ...range(WALLETS).map((place) => async () => {
      const body = { via: 'bitcoin', address: bitcoinAddress(place) };
      await caller.write((options) => wallets.whitelist(accountId, body, options));
    }),
    ...range(QUOTES).map(() => async () => {
      const { id } = await caller.write((options) => quotes.create(accountId, { from, to }, options));
      await caller.write((options) => quotes.execute(accountId, id, options));
      quoteIds.add(id);
    }),
  ]);

  effects.expectOneEach();
  const verdicts = new Set(sandbox.journal.map(({ verdict }) => verdict));
  for (const verdict of ['fault_before', 'fault_after', 'replayed']) expect(verdicts).toContain(verdict);
  for (const outcome of ['not_applied', 'unknown', 'applied'] as const) {
    expect(caller.seen[outcome], outcome).toBeGreaterThan(0);
  }

  sandbox.troubles.clear();
  const addresses = sandbox.wallets
    .list()
    .slice(known)
    .map(({ address }) => address);
  expect(addresses.sort()).toEqual(
    range(WALLETS)
      .map((place) => bitcoinAddress(place))
      .sort(),
  );
  expect(quoteIds.size).toBe(QUOTES);
  await inParallel(
    [...quoteIds].map((id) => async () => expect((await quotes.get(accountId, id)).status).toBe('executing')),
  );
  const rename = (place: number) =>
    withdrawalAddresses.update(accountId, `name ${place}`, { new_key: `other ${place}` });
  await inParallel(range(ADDRESSES).map((place) => () => rename(place)));
});
