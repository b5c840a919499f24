import { builtinModule } from './builtin-module.js';

/**
 * Node's own `setImmediate`, also where a test has replaced the global before this file was loaded.
 * Undefined where the runtime has none.
 */
export const platformImmediate: ((run: () => void) => unknown) | undefined =
  builtinModule('node:timers')?.setImmediate ?? globalThis.setImmediate;
