/** A channel of `node:diagnostics_channel`. */
export interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

/** Stands for each channel of a platform that has none. */
const NONE: Channel = { hasSubscribers: false, publish: () => {} };

/** Returns the channel of this name. No import asks for the module: not every runtime has it. */
export function channelOf(name: string): Channel {
  try {
    const hasModules = typeof process !== 'undefined' && typeof process.getBuiltinModule === 'function';
    return (hasModules ? process.getBuiltinModule('node:diagnostics_channel')?.channel(name) : undefined) ?? NONE;
  } catch {
    // The edge runtime of Next.js has the function, and it throws.
    return NONE;
  }
}
