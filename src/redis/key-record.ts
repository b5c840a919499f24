import { createHash } from 'node:crypto';
import type { RunScript } from './client.js';
import { type Clock, NANOSECONDS_PER_MILLISECOND, wallNanoseconds } from './clock.js';
import { clockAhead, commandFailed, noAnswer, recordAhead, strangeAnswer, tooSlow } from './failures.js';
import { Hold, momentOf } from './hold.js';
import type { SharedSettings } from './options.js';
import { ACQUIRE, FLOOR, LEAVE, RELEASE, RENEW } from './scripts.js';

/** Why an API key was not given. */
export interface Refusal {
  /**
   * `taken`: somebody holds it; `queue`: somebody else is first; `doubt`: Redis may have forgotten a holder, who has so
   * long to speak up; `late`: a later attempt of this source came first.
   */
  readonly reason: 'taken' | 'queue' | 'doubt' | 'late';
  /** Milliseconds after which it is free at the latest, as far as Redis knows now. */
  readonly wait: number;
  /** How many come first. */
  readonly ahead: number;
}

/** The API key is this source's now. */
export interface Granted {
  readonly hold: Hold;
  /** Other sources wait for it. */
  readonly contended: boolean;
}

/** What came of an attempt to get the API key. */
export type Acquisition = Granted | { readonly hold: undefined; readonly refusal: Refusal };

/** What a record needs to know of its source. */
export interface RecordContext {
  readonly run: RunScript;
  readonly settings: SharedSettings;
  readonly clock: Clock;
  /** Names the source among all that use this Redis. */
  readonly source: string;
}

/** How many hexadecimal digits of the hash are in a record's name: 128 bits. */
const NAME_LENGTH = 32;

/**
 * How far a nonce may lie ahead of the clocks of this machine and of Redis, in ms. The service takes nothing below a
 * nonce that it has seen, so one of the next century would use up the API key.
 */
const MAX_AHEAD_MS = 86_400_000;

/**
 * The record of one API key in Redis, as one source sees it. Each command has its limit; what comes later has no
 * effect.
 */
export class KeyRecord {
  readonly #context: RecordContext;
  readonly #name: string;
  #attempts = 0;
  /** The last hold, also when it is over: its last nonce is the one that this source must stay above. */
  #last: Hold | undefined;

  constructor(apiKey: string, context: RecordContext) {
    this.#context = context;
    const hash = createHash('sha256').update(apiKey).digest('hex').slice(0, NAME_LENGTH);
    this.#name = `${context.settings.prefix}{${hash}}`;
  }

  /**
   * Tries to get the API key. With `patience`, in milliseconds, this source counts as waiting for so long, in order of
   * arrival.
   */
  async acquire(patience: number): Promise<Acquisition> {
    const { source, clock, settings } = this.#context;
    const from = momentOf(clock);
    const count = ++this.#attempts;
    const read = (reply: readonly string[]): Acquisition => {
      const [verdict, ...rest] = reply;
      if (verdict === 'wait') return { hold: undefined, refusal: refusalOf(rest) };
      if (verdict === 'clock') throw clockAhead(integer(rest[0]));
      if (verdict === 'ahead') throw recordAhead(this.#name, integer(rest[0]));
      if (verdict !== 'granted') throw strangeAnswer();
      const [floor, ceiling, ends = '', others] = rest;
      const term = { from, ceiling: integer(ceiling), ends };
      const hold = new Hold(`${source}.${count}`, integer(floor), term, settings.ttl, clock);
      return { hold, contended: others !== '0' };
    };
    const last = this.#last?.last ?? 0n;
    const args = [source, count, settings.ttl, wallNanoseconds(clock), last, patience, MAX_AHEAD_MS];
    // Given too late to be used, it must not stand in the way of others.
    const late = (reply: readonly string[]) => this.#giveBack(read(reply).hold);
    const acquisition = read(await this.#run(ACQUIRE, args, late));
    const { hold } = acquisition;
    if (hold === undefined) return acquisition;
    if (this.#isAhead(hold)) {
      this.#giveBack(hold);
      throw recordAhead(this.#name, hold.floor);
    }
    if (!hold.isValid()) {
      this.#giveBack(hold);
      throw tooSlow(settings.ttl);
    }
    this.#last = hold;
    return acquisition;
  }

  /** Holds on to it; undefined when another has it by now. */
  async renew(hold: Hold): Promise<{ readonly contended: boolean } | undefined> {
    const { source, clock, settings } = this.#context;
    const from = momentOf(clock);
    const args = [hold.token, hold.floor, hold.ends, settings.ttl, source, hold.reach()];
    const [verdict, ceiling, ends = '', others] = await this.#run(RENEW, args);
    if (verdict === 'lost') return undefined;
    if (verdict !== 'renewed') throw strangeAnswer();
    hold.renew({ from, ceiling: integer(ceiling), ends });
    return { contended: others !== '0' };
  }

  /** Gives it back. Never rejects: what does not arrive runs out by itself. */
  async release(hold: Hold): Promise<void> {
    const latest = hold.token === `${this.#context.source}.${this.#attempts}`;
    await this.#run(RELEASE, [hold.token, hold.floor, hold.ends, hold.last, latest ? 1 : 0]).catch(ignore);
  }

  /** Counts no longer as waiting. Never rejects: its patience ends by itself. */
  async leave(): Promise<void> {
    await this.#run(LEAVE, [this.#context.source]).catch(ignore);
  }

  /** Whether another hold has begun since the one in which this source drew the nonce; if so, that one is over. */
  async overtaken(nonce: bigint): Promise<boolean> {
    const [answer] = await this.#run(FLOOR, []);
    const floor = integer(answer);
    const last = this.#last;
    if (last === undefined || floor <= last.floor) return floor >= nonce;
    last.end();
    return floor >= nonce || nonce <= last.last;
  }

  /**
   * The script gives no such hold, so this answer is not the script's. The hold's end tells what time it is at Redis.
   */
  #isAhead({ floor, ends }: Hold): boolean {
    const { settings, clock } = this.#context;
    const now = Math.max(clock.wall(), Number(integer(ends)) - settings.ttl);
    return Number(floor) / NANOSECONDS_PER_MILLISECOND > now + MAX_AHEAD_MS;
  }

  #giveBack(hold: Hold | undefined): void {
    if (hold !== undefined) void this.release(hold);
  }

  /** Runs a script within `commandTimeout`; `late` gets a reply that comes after it. */
  #run(
    script: string,
    args: readonly (string | number | bigint)[],
    late: (reply: readonly string[]) => void = ignore,
  ): Promise<readonly string[]> {
    const { run, settings } = this.#context;
    return new Promise((resolve, reject) => {
      let waiting = true;
      const timer = setTimeout(() => {
        waiting = false;
        reject(noAnswer(settings.commandTimeout));
      }, settings.commandTimeout);
      const replied = (reply: unknown) => {
        clearTimeout(timer);
        if (waiting) resolve(textsOf(reply));
        else late(textsOf(reply));
      };
      const failed = (error: unknown) => {
        clearTimeout(timer);
        reject(commandFailed(error));
      };
      const asking = async () => run(script, this.#name, args.map(String));
      asking().then(replied).catch(failed);
    });
  }
}

/** The scripts give lists of texts; a client may be set up to give bytes in their place. */
function textsOf(reply: unknown): readonly string[] {
  if (!Array.isArray(reply)) throw strangeAnswer();
  return reply.map(String);
}

function refusalOf([wait, reason, ahead]: readonly string[]): Refusal {
  if (reason !== 'taken' && reason !== 'queue' && reason !== 'doubt' && reason !== 'late') throw strangeAnswer();
  return { reason, wait: Number(integer(wait)), ahead: Number(integer(ahead)) };
}

function integer(text: string = ''): bigint {
  if (!/^\d+$/.test(text)) throw strangeAnswer();
  return BigInt(text);
}

function ignore(): void {}
