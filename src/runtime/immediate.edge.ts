/** Not every runtime has it. */
export const platformImmediate: ((run: () => void) => unknown) | undefined = (
  globalThis as { readonly setImmediate?: (run: () => void) => unknown }
).setImmediate;
