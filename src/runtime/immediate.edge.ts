/** Not every runtime has it. */
export const platformImmediate: ((run: () => void) => unknown) | undefined = (
  globalThis as { readonly setImmediate?: (run: () => void) => unknown }
).setImmediate;

/** A timer of a worker ends with the request that set it. */
export const inNextTurn: typeof platformImmediate = undefined;
