import { setImmediate } from 'node:timers';

/**
 * Node's own `setImmediate`, also where a test has replaced the global before this file was loaded.
 */
export const platformImmediate: ((run: () => void) => unknown) | undefined = setImmediate;
