import { randomUUID } from 'node:crypto';
import type { CoordinatedNonceSource } from '../signing/nonce.js';
import { type RedisClient, scriptRunner } from './client.js';
import { type ClientList, ClientLists } from './client-lists.js';
import { type Clock, machineClock } from './clock.js';
import { allTaken, keyLost, sourceClosed } from './failures.js';
import { KeyRecord, type RecordContext } from './key-record.js';
import { Lease } from './lease.js';
import { type LeaseSettings, leaseSettings, type RedisKeyLeasesOptions } from './options.js';
import { Outage } from './outage.js';
import { jittered, Pause } from './pause.js';
import { Waiters } from './waiters.js';

/** How soon Redis is asked again after a failure, in milliseconds. */
const RETRY = 200;

/** API keys that this process holds alone, for as long as it lives and reaches Redis. */
export class KeyLeases implements CoordinatedNonceSource {
  readonly keysArePartnerWide: boolean;
  readonly #settings: LeaseSettings;
  readonly #context: RecordContext;
  readonly #outage: Outage;
  readonly #lists = new ClientLists();
  readonly #leases = new Map<string, Lease>();
  readonly #waiters = new Waiters();
  readonly #pause = new Pause();
  /** Where this process begins to look: not all at the same API key. */
  readonly #start = Math.random();
  #seeking = false;
  #trying: Promise<unknown> = Promise.resolve();

  constructor(client: RedisClient, options: RedisKeyLeasesOptions, clock: Clock = machineClock) {
    const settings = leaseSettings(options);
    this.#settings = settings;
    this.keysArePartnerWide = settings.keysArePartnerWide;
    this.#context = { run: scriptRunner(client), settings, clock, source: randomUUID() };
    this.#outage = new Outage(settings.commandTimeout, clock);
  }

  open(apiKeys: readonly string[]): void {
    this.#lists.of(apiKeys).clients++;
  }

  usable(apiKeys: readonly string[]): readonly string[] | Promise<readonly string[]> {
    const list = this.#lists.of(apiKeys);
    list.wanted = true;
    const usable = this.#usable(list);
    if (usable.length < this.#number(list)) this.#seek();
    if (usable.length > 0) return usable;
    return this.#wait(list, () => {
      const found = this.#usable(list);
      return found.length > 0 ? found : undefined;
    });
  }

  next(apiKey: string): bigint | Promise<bigint> {
    return this.#leases.get(apiKey)?.issue() ?? this.#nextLater(apiKey);
  }

  overtaken(apiKey: string, nonce: bigint): Promise<boolean> {
    return this.#lease(apiKey).overtaken(nonce);
  }

  async close(apiKeys: readonly string[]): Promise<void> {
    const list = this.#lists.of(apiKeys);
    list.clients--;
    if (list.clients > 0) return;
    this.#lists.remove(list);
    this.#waiters.refuse(list, sourceClosed());
    this.#pause.end();
    // It may be about to get an API key of this list.
    await this.#trying;
    const deserted = [...this.#leases].filter(([apiKey]) => this.#lists.with(apiKey).length === 0);
    await Promise.all(deserted.map(([, lease]) => lease.release()));
  }

  toJSON(): Record<string, unknown> {
    return { name: 'redisKeyLeases' };
  }

  /** Waits for an API key that was lost since the call chose it, or was never asked for. */
  #nextLater(apiKey: string): Promise<bigint> {
    const lists = this.#lists.with(apiKey);
    const list = lists[0] ?? this.#lists.of([apiKey]);
    list.wanted = true;
    const since = this.#context.clock.steady();
    return this.#wait(list, () => {
      const lease = this.#lease(apiKey);
      const nonce = lease.issue();
      const lost = (lease.former && lease.wasTaken(since)) || !this.#isSought(apiKey);
      if (nonce === undefined && lost) throw keyLost();
      return nonce;
    });
  }

  #wait<T>(list: ClientList, ready: () => T | undefined): Promise<T> {
    const { acquireTimeout } = this.#settings;
    const late = () => allTaken(list.apiKeys.length, acquireTimeout);
    const answer = this.#waiters.add({ ready, timeout: acquireTimeout, late, group: list });
    this.#settle();
    this.#pause.end();
    this.#seek();
    return answer;
  }

  /** In a long outage nobody is kept waiting. */
  #settle(): void {
    this.#waiters.settle();
    const { error } = this.#outage;
    if (error !== undefined) this.#waiters.settle(error);
  }

  // ---- the search for API keys ----

  /** Looks for API keys until every list has its number, in the background. */
  #seek(): void {
    if (this.#seeking || !this.#lists.all().some((list) => this.#lacks(list))) return;
    this.#seeking = true;
    void this.#seekAll();
  }

  #lost(): void {
    this.#pause.end();
    this.#seek();
  }

  async #seekAll(): Promise<void> {
    while (this.#lists.all().some((list) => this.#lacks(list))) {
      const pause = await this.#sweep();
      this.#settle();
      if (this.#lists.all().some((list) => this.#lacks(list))) await this.#pause.wait(pause);
    }
    this.#outage.answered();
    this.#seeking = false;
  }

  /** Asks once for each API key that may be free; gives the milliseconds until the next sweep. Never rejects. */
  async #sweep(): Promise<number> {
    const tried = new Set<string>();
    for (let apiKey = this.#candidate(tried); apiKey !== undefined; apiKey = this.#candidate(tried)) {
      tried.add(apiKey);
      const sent = this.#context.clock.steady();
      const trying = this.#lease(apiKey).acquire();
      this.#trying = trying.catch(() => {});
      try {
        await trying;
        this.#outage.answered();
        this.#waiters.settle();
      } catch (error) {
        this.#outage.failed(sent, error as Error);
        return jittered(RETRY);
      }
    }
    const urgent = this.#waiters.size > 0;
    const delays = [...this.#leases]
      .filter(([apiKey]) => this.#isSought(apiKey))
      .map(([, lease]) => lease.dueIn(urgent));
    return Math.min(...delays, this.#settings.ttl);
  }

  /** The next API key to ask for: those that were held before first. */
  #candidate(tried: ReadonlySet<string>): string | undefined {
    const urgent = this.#waiters.size > 0;
    const may = (apiKey: string) =>
      !tried.has(apiKey) && !this.#lease(apiKey).isHeld() && this.#lease(apiKey).dueIn(urgent) === 0;
    for (const list of this.#lists.all()) {
      if (!this.#lacks(list)) continue;
      const start = Math.floor(this.#start * list.apiKeys.length);
      const turned = [...list.apiKeys.slice(start), ...list.apiKeys.slice(0, start)].filter(may);
      const candidate = turned.find((apiKey) => this.#lease(apiKey).former) ?? turned[0];
      if (candidate !== undefined) return candidate;
    }
    return undefined;
  }

  /** This process still wants it, or one in its place. */
  #isSought(apiKey: string): boolean {
    return !this.#lease(apiKey).isHeld() && this.#lists.with(apiKey).some((list) => this.#lacks(list));
  }

  #lacks(list: ClientList): boolean {
    return list.wanted && this.#usable(list).length < this.#number(list);
  }

  /** How many API keys of the list this process wants. */
  #number(list: ClientList): number {
    return Math.min(this.#settings.keysPerProcess, list.apiKeys.length);
  }

  /** Those of the list that are held now: the same array as long as they are the same. */
  #usable(list: ClientList): readonly string[] {
    let count = 0;
    for (const apiKey of list.apiKeys) {
      if (this.#leases.get(apiKey)?.isHeld() !== true) continue;
      if (list.usable[count] !== apiKey) return this.#refresh(list);
      count++;
    }
    return count === list.usable.length ? list.usable : this.#refresh(list);
  }

  #refresh(list: ClientList): readonly string[] {
    list.usable = list.apiKeys.filter((apiKey) => this.#leases.get(apiKey)?.isHeld() === true);
    return list.usable;
  }

  #lease(apiKey: string): Lease {
    let lease = this.#leases.get(apiKey);
    if (lease === undefined) {
      const { settings, clock } = this.#context;
      lease = new Lease(new KeyRecord(apiKey, this.#context), settings.ttl, () => this.#lost(), clock);
      this.#leases.set(apiKey, lease);
    }
    return lease;
  }
}
