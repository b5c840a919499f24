import { randomUUID } from 'node:crypto';
import type { CoordinatedNonceSource } from '../signing/nonce.js';
import { type RedisClient, scriptRunner } from './client.js';
import { type Clock, machineClock } from './clock.js';
import { KeyRecord, type RecordContext } from './key-record.js';
import { type RedisNoncesOptions, type TurnSettings, turnSettings } from './options.js';
import { Turnstile } from './turnstile.js';

/** API keys that many processes send with, one at a time. */
export class SharedNonces implements CoordinatedNonceSource {
  readonly #settings: TurnSettings;
  readonly #context: RecordContext;
  readonly #turnstiles = new Map<string, Turnstile>();

  constructor(client: RedisClient, options: RedisNoncesOptions, clock: Clock = machineClock) {
    const settings = turnSettings(options);
    this.#settings = settings;
    this.#context = { run: scriptRunner(client), settings, clock, source: randomUUID() };
  }

  next(apiKey: string): bigint | Promise<bigint> {
    return this.#turnstile(apiKey).next();
  }

  done(apiKey: string, nonce: bigint): void {
    this.#turnstiles.get(apiKey)?.done(nonce);
  }

  overtaken(apiKey: string, nonce: bigint): Promise<boolean> {
    return this.#turnstile(apiKey).overtaken(nonce);
  }

  open(apiKeys: readonly string[]): void {
    for (const apiKey of apiKeys) this.#turnstile(apiKey).clients++;
  }

  async close(apiKeys: readonly string[]): Promise<void> {
    const closing = apiKeys.map(async (apiKey) => {
      const turnstile = this.#turnstile(apiKey);
      turnstile.clients = Math.max(0, turnstile.clients - 1);
      if (turnstile.clients === 0) await turnstile.close();
    });
    await Promise.all(closing);
  }

  toJSON(): Record<string, unknown> {
    return { name: 'redisNonces' };
  }

  #turnstile(apiKey: string): Turnstile {
    let turnstile = this.#turnstiles.get(apiKey);
    if (turnstile === undefined) {
      turnstile = new Turnstile(new KeyRecord(apiKey, this.#context), this.#settings, this.#context.clock);
      this.#turnstiles.set(apiKey, turnstile);
    }
    return turnstile;
  }
}
