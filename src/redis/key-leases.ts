import type { CoordinatedNonceSource } from '../signing/nonce.js';
import { processName, type RedisClient, scriptRunner } from './client.js';
import { ClientGroup } from './client-group.js';
import type { HoldEnd } from './held-key.js';
import type { RecordContext } from './key-record.js';
import { type KeyOwner, LeasedKey } from './leased-key.js';
import { commandTimeout, leaseSettings, type RedisKeyLeasesOptions } from './options.js';
import { type Clock, machineClock } from './time.js';
import type { WaitingCalls } from './waiting-calls.js';

/** After a failure older than this, a call waits for the next command to Redis before it fails. */
const FRESH_MS = 1_000;

/**
 * The source of `redisKeyLeases()`. It looks for API keys in the background, one after the other,
 * until every call has one and every client has its number. A process queues only for an API key
 * that a call is bound to, and such a call is bound to one only if the process holds none for it.
 * Others are taken when they are free and nobody queues.
 */
export class KeyLeases implements CoordinatedNonceSource, KeyOwner {
  readonly keysArePartnerWide: boolean;
  readonly #context: RecordContext;
  readonly #keys = new Map<string, LeasedKey>();
  readonly #groups = new Map<string, ClientGroup>();
  /** The share of a group's API keys at which this process begins to look: not all at the first. */
  readonly #start = Math.random();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #asked: Promise<void> = Promise.resolve();
  /** Set from the first command that failed to the next one that does not. */
  #outage: { readonly since: number; readonly failedAt: number; readonly error: Error } | undefined;

  constructor(client: RedisClient, options: RedisKeyLeasesOptions, clock: Clock = machineClock) {
    const settings = leaseSettings(options);
    this.keysArePartnerWide = settings.keysArePartnerWide;
    this.#context = { run: scriptRunner(client), settings, clock, source: processName() };
  }

  open(apiKeys: readonly string[]): void {
    const group = this.#group(apiKeys);
    group.clients++;
    for (const key of group.keys) key.clients++;
  }

  usable(apiKeys: readonly string[]): readonly string[] | Promise<readonly string[]> {
    const group = this.#group(apiKeys);
    if (!group.isWanted) {
      group.isWanted = true;
      this.#seek();
    }
    return group.choice() ?? this.#wait(group.waiting);
  }

  next(apiKey: string): bigint | Promise<bigint> {
    const key = this.#key(apiKey);
    return key.issue() ?? this.#wait(key.waiting);
  }

  done(apiKey: string, nonce: bigint): void {
    this.#keys.get(apiKey)?.held?.done(nonce);
  }

  overtaken(apiKey: string, nonce: bigint): Promise<boolean> {
    return this.#key(apiKey).record.overtaken(nonce);
  }

  async close(apiKeys: readonly string[]): Promise<void> {
    const group = this.#group(apiKeys);
    for (const key of group.keys) key.clients = Math.max(0, key.clients - 1);
    group.clients--;
    if (group.clients > 0) return;
    this.#groups.delete(idOf(apiKeys));
    const deserted = group.keys.filter((key) => this.#groupsWith(key).length === 0);
    const closed = new Error('the nonce source was closed for this API key while a call waited for it');
    for (const { waiting } of [group, ...deserted]) waiting.refuse(closed);
    // An API key of this group may be about to come.
    await this.#asked;
    this.#seek();
    await Promise.all(deserted.map((key) => Promise.all([key.held?.giveBack('idle'), key.leaveQueue()])));
  }

  isSpare(key: LeasedKey): boolean {
    const groups = this.#groupsWith(key);
    return groups.length > 0 && groups.every(({ own }) => own.some((other) => other !== key));
  }

  isOver(key: LeasedKey, end: HoldEnd): void {
    // A process with nothing to send asks for an API key only at its next call.
    if (end === 'idle') for (const group of this.#groupsWith(key)) group.isWanted = false;
    this.#seek();
  }

  #wait<T>(calls: WaitingCalls<T>): Promise<T> {
    const waiting = calls.add();
    this.#refuseInOutage();
    // Redis is still asked, to notice the end of the outage.
    this.#seek();
    return waiting;
  }

  /** Calls wait during a short outage of Redis; in a longer one, they fail at once. */
  #refuseInOutage(): void {
    const { settings, clock } = this.#context;
    if (this.#outage === undefined) return;
    const { since, failedAt, error } = this.#outage;
    const now = clock.steady();
    if (now - failedAt > FRESH_MS || now - since < commandTimeout(settings)) return;
    for (const { waiting } of [...this.#groups.values(), ...this.#keys.values()]) waiting.refuse(error);
  }

  /** Asks for the API keys that this process wants, when it makes sense to ask. */
  #seek(): void {
    if (this.#isAsking) return;
    clearTimeout(this.#timer);
    for (const key of this.#keys.values()) void key.leaveQueue();
    const [next] = [...this.#sought()].sort(([, one], [, other]) => one - other);
    if (next === undefined) return;
    const [key, delay] = next;
    if (delay > 0) {
      this.#timer = setTimeout(() => this.#seek(), delay);
      this.#timer.unref?.();
    } else this.#asked = this.#ask(key);
  }

  async #ask(key: LeasedKey): Promise<void> {
    const { clock } = this.#context;
    const sentAt = clock.steady();
    this.#isAsking = true;
    try {
      await key.acquire();
      this.#outage = undefined;
    } catch (error) {
      const since = this.#outage?.since ?? sentAt;
      this.#outage = { since, failedAt: clock.steady(), error: error as Error };
    }
    this.#isAsking = false;
    for (const { waiting } of [key, ...this.#groupsWith(key)]) waiting.settle();
    this.#refuseInOutage();
    this.#seek();
  }

  /**
   * Returns the API keys that this process wants, with the ms until it makes sense to ask: first
   * those that calls wait for.
   */
  #sought(): ReadonlyMap<LeasedKey, number> {
    const sought = new Map<LeasedKey, number>();
    for (const key of this.#keys.values())
      if (key.waiting.size > 0 && !key.held?.isValid) sought.set(key, key.dueIn(true));
    for (const group of this.#groups.values()) {
      if (!group.isMissing) continue;
      for (const key of group.keys)
        if (!key.held?.isValid && !sought.has(key)) sought.set(key, key.dueIn(group.isUrgent));
    }
    return sought;
  }

  #groupsWith(key: LeasedKey): readonly ClientGroup[] {
    return [...this.#groups.values()].filter(({ keys }) => keys.includes(key));
  }

  #group(apiKeys: readonly string[]): ClientGroup {
    const id = idOf(apiKeys);
    let group = this.#groups.get(id);
    if (group === undefined) {
      const start = Math.floor(this.#start * apiKeys.length);
      const keys = [...apiKeys.slice(start), ...apiKeys.slice(0, start)].map((apiKey) => this.#key(apiKey));
      group = new ClientGroup(keys, this.#context.settings);
      this.#groups.set(id, group);
    }
    return group;
  }

  #key(apiKey: string): LeasedKey {
    let key = this.#keys.get(apiKey);
    if (key === undefined) {
      key = new LeasedKey(apiKey, this.#context, this);
      this.#keys.set(apiKey, key);
    }
    return key;
  }
}

/** Clients with the same API keys, in whatever order, are one group. */
function idOf(apiKeys: readonly string[]): string {
  return [...apiKeys].sort().join('\n');
}
