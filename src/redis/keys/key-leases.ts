import type { CoordinatedNonceSource } from '../../signing/nonce.js';
import { CircuitBreaker } from '../circuit-breaker.js';
import { type RedisClient, scriptRunner } from '../client.js';
import { type ClientGroup, ClientGroups } from '../client-groups.js';
import { allTaken, keyLost, sourceClosed, takenElsewhere } from '../failures.js';
import { commandTimeout, type LeaseSettings, leaseSettings, type RedisKeyLeasesOptions } from '../options.js';
import { processName } from '../process-name.js';
import { type Clock, jittered, machineClock, Sleep } from '../time.js';
import { WaitingCalls } from '../waiting-calls.js';
import { HeldKey } from './held-key.js';
import { KeyRecord, type RecordContext } from './key-record.js';

/** After a failure, Redis is asked again in this time. */
const RETRY_MS = 200;

/** The source of `redisKeyLeases()`: each process holds its own API keys. */
export class KeyLeases implements CoordinatedNonceSource {
  readonly keysArePartnerWide: boolean;
  readonly #settings: LeaseSettings;
  readonly #context: RecordContext;
  readonly #breaker: CircuitBreaker;
  readonly #groups = new ClientGroups();
  readonly #keys = new Map<string, HeldKey>();
  /** The calls that need an API key besides those of `keysPerProcess`, by API key. */
  readonly #extra = new Map<string, number>();
  readonly #waiting = new WaitingCalls();
  readonly #sleep = new Sleep();
  /** The share of a group's keys at which this process begins to look: not all at the first. */
  readonly #start = Math.random();
  #seeking = false;
  #trying: Promise<unknown> = Promise.resolve();

  constructor(client: RedisClient, options: RedisKeyLeasesOptions, clock: Clock = machineClock) {
    const settings = leaseSettings(options);
    this.#settings = settings;
    this.keysArePartnerWide = settings.keysArePartnerWide;
    this.#context = { run: scriptRunner(client), settings, clock, source: processName() };
    this.#breaker = new CircuitBreaker(commandTimeout(settings), clock);
  }

  open(apiKeys: readonly string[]): void {
    this.#groups.of(apiKeys).clients++;
  }

  usable(apiKeys: readonly string[]): readonly string[] | Promise<readonly string[]> {
    const group = this.#groups.of(apiKeys);
    group.wanted = true;
    const usable = this.#usable(group);
    if (usable.length < this.#number(group)) this.#seek();
    if (usable.length > 0) return usable;
    return this.#wait(group, () => {
      const found = this.#usable(group);
      return found.length > 0 ? found : undefined;
    });
  }

  hold(apiKey: string): (() => void) | undefined | Promise<() => void> {
    const calls = this.#extra.get(apiKey);
    if (calls === undefined && this.#isHeld(apiKey)) return undefined;
    this.#extra.set(apiKey, (calls ?? 0) + 1);
    const giveBack = () => this.#giveBack(apiKey);
    if (this.#isHeld(apiKey)) return giveBack;
    const result = () => (this.#isHeld(apiKey) ? giveBack : undefined);
    const late = () => takenElsewhere(this.#settings.acquireTimeout);
    const holding = this.#wait(this.#groupWith(apiKey), result, late);
    holding.catch(giveBack);
    return holding;
  }

  next(apiKey: string): bigint | Promise<bigint> {
    return this.#keys.get(apiKey)?.issue() ?? this.#nextLater(apiKey);
  }

  overtaken(apiKey: string, nonce: bigint): Promise<boolean> {
    return this.#key(apiKey).overtaken(nonce);
  }

  async close(apiKeys: readonly string[]): Promise<void> {
    const group = this.#groups.of(apiKeys);
    group.clients--;
    if (group.clients > 0) return;
    this.#groups.remove(group);
    this.#waiting.refuse(group, sourceClosed());
    this.#sleep.wake();
    // An API key of this group may be about to come.
    await this.#trying;
    const deserted = [...this.#keys].filter(([apiKey]) => this.#groups.with(apiKey).length === 0);
    await Promise.all(deserted.map(([, key]) => key.release()));
  }

  toJSON(): Record<string, unknown> {
    return { name: 'redisKeyLeases' };
  }

  /** Waits for an API key that was lost since the call chose it, or was never asked for. */
  #nextLater(apiKey: string): Promise<bigint> {
    const group = this.#groupWith(apiKey);
    group.wanted = true;
    const since = this.#context.clock.steady();
    return this.#wait(group, () => {
      const key = this.#key(apiKey);
      const nonce = key.issue();
      const lost = (key.wasHeld && key.wasTaken(since)) || !this.#isSought(apiKey);
      if (nonce === undefined && lost) throw keyLost();
      return nonce;
    });
  }

  #groupWith(apiKey: string): ClientGroup {
    return this.#groups.with(apiKey)[0] ?? this.#groups.of([apiKey]);
  }

  /** A call that needed an API key besides those of `keysPerProcess` is over. */
  #giveBack(apiKey: string): void {
    const calls = (this.#extra.get(apiKey) ?? 1) - 1;
    this.#extra.set(apiKey, calls);
    if (calls > 0 || !this.#extra.delete(apiKey)) return;
    // Never rejects: if Redis cannot be asked, the API key is free after `ttl`.
    void this.#key(apiKey).release();
  }

  #wait<T>(
    group: ClientGroup,
    result: () => T | undefined,
    late: () => Error = () => allTaken(group.apiKeys.length, this.#settings.acquireTimeout),
  ): Promise<T> {
    const { acquireTimeout } = this.#settings;
    const waiting = this.#waiting.add({ result, timeout: acquireTimeout, late, group });
    this.#settle();
    this.#sleep.wake();
    this.#seek();
    return waiting;
  }

  /** Settles the calls that have a result; in a long outage, all. */
  #settle(): void {
    this.#waiting.settle();
    const { error } = this.#breaker;
    if (error !== undefined) this.#waiting.settle(error);
  }

  /** Looks for API keys in the background, until every group has its number. */
  #seek(): void {
    if (this.#seeking || !this.#isAnyMissing()) return;
    this.#seeking = true;
    void this.#seekAll();
  }

  async #seekAll(): Promise<void> {
    while (this.#isAnyMissing()) {
      const delay = await this.#askForAll();
      this.#settle();
      if (this.#isAnyMissing()) await this.#sleep.for(delay);
    }
    this.#breaker.succeeded();
    this.#seeking = false;
  }

  /** Asks once for each key that may be free. Resolves to the ms until the next time. */
  async #askForAll(): Promise<number> {
    const tried = new Set<string>();
    for (let apiKey = this.#candidate(tried); apiKey !== undefined; apiKey = this.#candidate(tried)) {
      tried.add(apiKey);
      const sentAt = this.#context.clock.steady();
      const trying = this.#key(apiKey).acquire();
      this.#trying = trying.catch(() => {});
      try {
        await trying;
        this.#breaker.succeeded();
        this.#waiting.settle();
      } catch (error) {
        this.#breaker.failed(sentAt, error as Error);
        return jittered(RETRY_MS);
      }
    }
    const urgent = this.#waiting.size > 0;
    const delays = [...this.#keys].filter(([apiKey]) => this.#isSought(apiKey)).map(([, key]) => key.dueIn(urgent));
    return Math.min(...delays, this.#settings.ttl);
  }

  /** Returns the next API key to ask for: one that was held before, if there is one. */
  #candidate(tried: ReadonlySet<string>): string | undefined {
    const urgent = this.#waiting.size > 0;
    const isDue = (apiKey: string) =>
      !tried.has(apiKey) && !this.#isHeld(apiKey) && this.#key(apiKey).dueIn(urgent) === 0;
    const extra = [...this.#extra.keys()].find(isDue);
    if (extra !== undefined) return extra;
    for (const group of this.#groups.all()) {
      if (!this.#isMissing(group)) continue;
      const start = Math.floor(this.#start * group.apiKeys.length);
      const due = [...group.apiKeys.slice(start), ...group.apiKeys.slice(0, start)].filter(isDue);
      const candidate = due.find((apiKey) => this.#key(apiKey).wasHeld) ?? due[0];
      if (candidate !== undefined) return candidate;
    }
    return undefined;
  }

  /** Returns true if this process still wants the API key, or another one in its place. */
  #isSought(apiKey: string): boolean {
    if (this.#isHeld(apiKey)) return false;
    return this.#extra.has(apiKey) || this.#groups.with(apiKey).some((group) => this.#isMissing(group));
  }

  #isAnyMissing(): boolean {
    const isExtraMissing = [...this.#extra.keys()].some((apiKey) => !this.#isHeld(apiKey));
    return isExtraMissing || this.#groups.all().some((group) => this.#isMissing(group));
  }

  #isMissing(group: ClientGroup): boolean {
    return group.wanted && this.#usable(group).length < this.#number(group);
  }

  /** Returns the number of the group's API keys that this process wants. */
  #number(group: ClientGroup): number {
    return Math.min(this.#settings.keysPerProcess, group.apiKeys.length);
  }

  #isHeld(apiKey: string): boolean {
    return this.#keys.get(apiKey)?.isHeld() === true;
  }

  /**
   * Returns the group's API keys that are held now, without those that are held for single calls:
   * the same array while they are the same.
   */
  #usable(group: ClientGroup): readonly string[] {
    const held = group.apiKeys.filter((apiKey) => this.#isHeld(apiKey) && !this.#extra.has(apiKey));
    const changed = held.length !== group.usable.length || held.some((apiKey, index) => apiKey !== group.usable[index]);
    if (changed) group.usable = held;
    return group.usable;
  }

  #key(apiKey: string): HeldKey {
    let key = this.#keys.get(apiKey);
    if (key === undefined) {
      const { settings, clock } = this.#context;
      const onLost = () => {
        this.#sleep.wake();
        this.#seek();
      };
      key = new HeldKey(new KeyRecord(apiKey, this.#context), settings.ttl, onLost, clock);
      this.#keys.set(apiKey, key);
    }
    return key;
  }
}
