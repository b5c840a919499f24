import { setImmediate } from 'node:timers';

/**
 * Node's own `setImmediate`, also where a test has replaced the global before this file was loaded.
 */
export const platformImmediate: ((run: () => void) => unknown) | undefined = setImmediate;

/**
 * Runs a function in the next turn of the event loop. Undefined in workers, where a timer ends with
 * the request that set it.
 */
export const inNextTurn = platformImmediate;
