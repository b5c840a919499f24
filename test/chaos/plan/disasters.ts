import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisServer } from '../../support/redis.js';
import type { Phase } from './phases.js';

/** A process is killed at this share of the calls. */
const KILL_AT = 0.3;

/** What Redis goes through, at which share of the calls, for how many milliseconds: less and more than a hold lasts. */
const OF_REDIS = [
  { at: 0.45, strike: dieAndReturn, lasts: 200 },
  { at: 0.6, strike: standStill, lasts: 1_500 },
  { at: 0.75, strike: dieAndReturn, lasts: 1_600 },
] as const;

export class Disasters {
  readonly #phase: Phase;
  readonly #redis: RedisServer | undefined;
  readonly #kill: () => void;
  /** One after the other, also when calls fail fast meanwhile. */
  #ofRedis = Promise.resolve();

  constructor(phase: Phase, redis: RedisServer | undefined, kill: () => void) {
    this.#phase = phase;
    this.#redis = redis;
    this.#kill = kill;
  }

  /** So many calls have ended: what is due happens. */
  after(ended: number): void {
    const isAt = (share: number) => ended === Math.floor(this.#phase.calls * share);
    if (this.#phase.kills && isAt(KILL_AT)) this.#kill();
    const redis = this.#redis;
    if (redis === undefined) return;
    for (const { at, strike, lasts } of OF_REDIS) {
      if (isAt(at)) this.#ofRedis = this.#ofRedis.then(() => strike(redis, lasts));
    }
  }

  async over(): Promise<void> {
    await this.#ofRedis;
  }
}

/** It has forgotten everything when it is back. */
async function dieAndReturn(redis: RedisServer, milliseconds: number): Promise<void> {
  await redis.kill();
  await sleep(milliseconds);
  await redis.revive({ data: false });
}

async function standStill(redis: RedisServer, milliseconds: number): Promise<void> {
  redis.pause();
  await sleep(milliseconds);
  redis.resume();
}
