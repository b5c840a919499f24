import { ConfigurationError } from '../partner-error.js';
import { randomUuid } from '../runtime/crypto.js';
import { hasMethod } from '../util/members.js';
import { otherType } from './failures.js';

/** A client of the package `redis`, version 4 or later, or of its cluster or pool. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client of the package `ioredis`, version 5 or later: `new Redis()`, `new Cluster()`. */
export interface IoredisClient {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void;
}

/**
 * Your Redis client. It runs one command, EVAL with a single key, so a client of a Redis Cluster
 * works as well. This package never closes it.
 */
export type RedisClient = NodeRedisClient | IoredisClient;

/** Runs a script that touches one Redis key. */
export type RunScript = (script: string, key: string, args: readonly string[]) => Promise<unknown>;

export function scriptRunner(client: RedisClient): RunScript {
  if (!hasMethod(client, 'eval'))
    throw new ConfigurationError("the first argument must be a client of the package 'redis' or 'ioredis'");
  // Only ioredis has it: node-redis takes scripts as an option.
  const ask: RunScript =
    'defineCommand' in client
      ? (script, key, args) => client.eval(script, 1, key, ...args)
      : (script, key, args) => client.eval(script, { keys: [key], arguments: [...args] });
  return async (script, key, args) => {
    try {
      return await ask(script, key, args);
    } catch (error) {
      throw String(Object(error).message).includes('WRONGTYPE') ? otherType(key, error) : error;
    }
  };
}

/**
 * Returns a function that draws a name for this process at its first call. A name that was drawn
 * when the source was created would be shared by all clones of a process image: two of them would
 * hold one API key, each as if it were the other.
 */
export function processName(): () => string {
  let name: string | undefined;
  return () => {
    name ??= randomUuid();
    return name;
  };
}
