import type { CoordinatedNonceSource } from '../signing/nonce.js';
import { type RedisClient, scriptRunner } from './client.js';
import { KeyQueue } from './keys/key-queue.js';
import { KeyRecord, type RecordContext } from './keys/key-record.js';
import { type RedisNoncesOptions, type TurnSettings, turnSettings } from './options.js';
import { processName } from './process-name.js';
import { type Clock, machineClock } from './time.js';

/** The source of `redisNonces()`: many processes use an API key, one at a time. */
export class SharedNonces implements CoordinatedNonceSource {
  readonly #settings: TurnSettings;
  readonly #context: RecordContext;
  readonly #queues = new Map<string, KeyQueue>();

  constructor(client: RedisClient, options: RedisNoncesOptions, clock: Clock = machineClock) {
    const settings = turnSettings(options);
    this.#settings = settings;
    this.#context = { run: scriptRunner(client), settings, clock, source: processName() };
  }

  next(apiKey: string): bigint | Promise<bigint> {
    return this.#queue(apiKey).next();
  }

  done(apiKey: string, nonce: bigint): void {
    this.#queues.get(apiKey)?.done(nonce);
  }

  overtaken(apiKey: string, nonce: bigint): Promise<boolean> {
    return this.#queue(apiKey).overtaken(nonce);
  }

  open(apiKeys: readonly string[]): void {
    for (const apiKey of apiKeys) this.#queue(apiKey).clients++;
  }

  async close(apiKeys: readonly string[]): Promise<void> {
    const closing = apiKeys.map(async (apiKey) => {
      const queue = this.#queue(apiKey);
      queue.clients = Math.max(0, queue.clients - 1);
      if (queue.clients === 0) await queue.close();
    });
    await Promise.all(closing);
  }

  toJSON(): Record<string, unknown> {
    return { name: 'redisNonces' };
  }

  #queue(apiKey: string): KeyQueue {
    let queue = this.#queues.get(apiKey);
    if (queue === undefined) {
      queue = new KeyQueue(new KeyRecord(apiKey, this.#context), this.#settings, this.#context.clock);
      this.#queues.set(apiKey, queue);
    }
    return queue;
  }
}
