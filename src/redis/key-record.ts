import { createHash } from 'node:crypto';
import { redactError } from '../redaction/redact.js';
import { atLimit } from '../util/platform.js';
import { printable } from '../util/printable.js';
import type { RunScript } from './client.js';
import { clockAhead, recordAhead, unknownAnswer } from './failures.js';
import { Lease } from './lease.js';
import { commandTimeout, type LeaseSettings } from './options.js';
import { ACQUIRE, FLOOR, LEAVE, RELEASE, RENEW } from './scripts.js';
import { type Clock, NS_PER_MS, readClock } from './time.js';

/** The reply of Redis that an API key is not available now. */
export interface Refusal {
  /**
   * - `taken`: another process holds it;
   * - `queue`: another process waits for longer;
   * - `doubt`: Redis may have lost a holder's record; the holder has until the end of `wait` to
   *   renew its lease;
   * - `late`: a later attempt of this source came first.
   */
  readonly reason: 'taken' | 'queue' | 'doubt' | 'late';
  /** Maximum time in ms until the API key is free, as far as Redis knows now. */
  readonly wait: number;
  /** The number of processes that come first. */
  readonly ahead: number;
  /** True if its holder holds another API key for each of its clients. */
  readonly isSpare: boolean;
}

/** Whether other processes want an API key. */
export interface Demand {
  /** True if others wait for it. */
  readonly isWaiting: boolean;
  /** Time in ms since a process last had to wait for it. */
  readonly quietFor: number;
}

/** The result of one attempt to get the API key. */
export type Acquisition =
  | { readonly lease: Lease; readonly demand: Demand }
  | { readonly lease: undefined; readonly refusal: Refusal };

/** The part of a source that its records use. */
export interface RecordContext {
  readonly run: RunScript;
  readonly settings: LeaseSettings;
  readonly clock: Clock;
  /** The name of the source among all that use this Redis. */
  readonly source: () => string;
}

/** The number of hexadecimal digits of the hash in a record's name: 128 bits. */
const NAME_DIGITS = 32;

/**
 * A nonce further ahead of the clocks of this machine and of Redis is rejected. The service accepts
 * nothing below a nonce that it has seen, so a nonce of the next century would use up the API key.
 */
const MAX_AHEAD_MS = 86_400_000;

/** The record of one API key in Redis, as one source sees it. */
export class KeyRecord {
  readonly #context: RecordContext;
  readonly #name: string;
  #attempts = 0;
  /** The last lease, even once it is over: this source must stay above its last nonce. */
  #last: Lease | undefined;

  constructor(apiKey: string, context: RecordContext) {
    this.#context = context;
    const hash = createHash('sha256').update(apiKey).digest('hex').slice(0, NAME_DIGITS);
    this.#name = `${context.settings.prefix}{${hash}}`;
  }

  /**
   * Tries to get the API key. This source keeps its place in the queue for `queueFor` ms; with 0 it
   * gets no place, and the API key only if nobody waits.
   *
   * @param isSpare True if the process holds another API key for each client that has this one.
   */
  async acquire(queueFor: number, isSpare = false): Promise<Acquisition> {
    const { source, clock, settings } = this.#context;
    const from = readClock(clock);
    const count = ++this.#attempts;
    const read = (reply: readonly string[]): Acquisition => {
      const [verdict, ...rest] = reply;
      if (verdict === 'wait') return { lease: undefined, refusal: refusalOf(rest) };
      if (verdict === 'clock') throw clockAhead(integer(rest[0]));
      if (verdict === 'ahead') throw recordAhead(this.#name, integer(rest[0]));
      if (verdict !== 'granted') throw unknownAnswer();
      const [floor, ceiling, ends = '', ...demand] = rest;
      const terms = { from, ceiling: integer(ceiling), ends };
      const lease = new Lease(`${source()}.${count}`, integer(floor), terms, settings.ttl, clock);
      return { lease, demand: demandOf(demand) };
    };
    const last = this.#last?.last ?? 0n;
    const place = [queueFor, MAX_AHEAD_MS, isSpare ? 1 : 0];
    const wall = BigInt(Math.floor(clock.wall())) * BigInt(NS_PER_MS);
    const args = [source(), count, settings.ttl, wall, last, ...place];
    // A lease that comes too late to be used must not keep the API key from others.
    const late = (reply: readonly string[]) => this.#giveBack(read(reply).lease);
    const acquisition = read(await this.#run(ACQUIRE, args, late));
    const { lease } = acquisition;
    if (lease === undefined) return acquisition;
    if (this.#isAhead(lease)) {
      this.#giveBack(lease);
      throw recordAhead(this.#name, lease.floor);
    }
    if (!lease.isValid()) {
      this.#giveBack(lease);
      throw new Error(`Redis took so long to reply that nothing was left of the ttl (${settings.ttl} ms)`);
    }
    this.#last = lease;
    return acquisition;
  }

  /** Renews the lease. Resolves to undefined if another source has the API key by now. */
  async renew(lease: Lease, isSpare = false): Promise<Demand | undefined> {
    const { source, clock, settings } = this.#context;
    const from = readClock(clock);
    const terms = [settings.ttl, source(), lease.neededCeiling(), isSpare ? 1 : 0];
    const args = [lease.token, lease.floor, lease.ends, ...terms];
    const [verdict, ceiling, ends = '', ...demand] = await this.#run(RENEW, args);
    if (verdict === 'lost') return undefined;
    if (verdict !== 'renewed') throw unknownAnswer();
    lease.renew({ from, ceiling: integer(ceiling), ends });
    return demandOf(demand);
  }

  /** Gives the API key back. Never rejects: without the command, the lease runs out by itself. */
  async release(lease: Lease): Promise<void> {
    const latest = lease.token === `${this.#context.source()}.${this.#attempts}`;
    await this.#run(RELEASE, [lease.token, lease.floor, lease.ends, lease.last, latest ? 1 : 0]).catch(ignore);
  }

  /** Leaves the queue. Never rejects: the place in the queue runs out by itself. */
  async leave(): Promise<void> {
    await this.#run(LEAVE, [this.#context.source()]).catch(ignore);
  }

  /** Returns true if a later lease than that of this nonce has begun, and ends the earlier one. */
  async overtaken(nonce: bigint): Promise<boolean> {
    const [answer] = await this.#run(FLOOR, []);
    const floor = integer(answer);
    const last = this.#last;
    if (last === undefined || floor <= last.floor) return floor >= nonce;
    last.end();
    return floor >= nonce || nonce <= last.last;
  }

  /** Checks the reply of Redis, which should never be so. The lease's end tells Redis's time. */
  #isAhead({ floor, ends }: Lease): boolean {
    const { settings, clock } = this.#context;
    const now = Math.max(clock.wall(), Number(integer(ends)) - settings.ttl);
    return Number(floor) / NS_PER_MS > now + MAX_AHEAD_MS;
  }

  #giveBack(lease: Lease | undefined): void {
    if (lease !== undefined) void this.release(lease);
  }

  /** Runs a script with a time limit; `late` gets a reply that comes after it. */
  #run(
    script: string,
    args: readonly (string | number | bigint)[],
    late: (reply: readonly string[]) => void = ignore,
  ): Promise<readonly string[]> {
    const { run, settings } = this.#context;
    const timeout = commandTimeout(settings);
    return new Promise((resolve, reject) => {
      let waiting = true;
      const giveUp = () => {
        waiting = false;
        reject(new Error(`Redis did not reply within ${timeout} ms`));
      };
      const timer = setTimeout(() => atLimit(giveUp), timeout);
      const replied = (reply: unknown) => {
        clearTimeout(timer);
        if (waiting) resolve(textsOf(reply));
        else late(textsOf(reply));
      };
      const failed = (error: unknown) => {
        clearTimeout(timer);
        // The cause is a copy without members, which may hold a password (ioredis: AUTH).
        reject(new Error('the command to Redis failed; see cause', { cause: redactError(error, printable) }));
      };
      const asking = async () => run(script, this.#name, args.map(String));
      asking().then(replied).catch(failed);
    });
  }
}

/** The scripts return lists of strings; some clients are set up to return bytes instead. */
function textsOf(reply: unknown): readonly string[] {
  if (!Array.isArray(reply)) throw unknownAnswer();
  return reply.map(String);
}

function refusalOf([wait, reason, ahead, spare]: readonly string[]): Refusal {
  if (reason !== 'taken' && reason !== 'queue' && reason !== 'doubt' && reason !== 'late') throw unknownAnswer();
  return { reason, wait: Number(integer(wait)), ahead: Number(integer(ahead)), isSpare: spare === '1' };
}

function demandOf([waiting, quietFor]: readonly string[]): Demand {
  return { isWaiting: integer(waiting) > 0n, quietFor: Number(integer(quietFor)) };
}

function integer(text: string = ''): bigint {
  if (!/^\d+$/.test(text)) throw unknownAnswer();
  return BigInt(text);
}

function ignore(): void {}
