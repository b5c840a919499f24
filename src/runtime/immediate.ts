import { builtinModule } from './builtin-module.js';
import { isWorker } from './worker.js';

/**
 * Node's own `setImmediate`, also where a test has replaced the global before this file was loaded.
 * Undefined where the runtime has none.
 */
export const platformImmediate: ((run: () => void) => unknown) | undefined =
  builtinModule('node:timers')?.setImmediate ?? globalThis.setImmediate;

/**
 * Runs a function in the next turn of the event loop. Undefined in workers, where a timer ends with
 * the request that set it.
 */
export const inNextTurn: ((run: () => void) => unknown) | undefined = isWorker ? undefined : platformImmediate;
