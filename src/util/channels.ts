import { builtinModule } from '../runtime/builtin-module.js';

/** A channel of `node:diagnostics_channel`. */
export interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

/** Stands for each channel of a platform that has none. */
const NONE: Channel = { hasSubscribers: false, publish: () => {} };

export const channelOf = (name: string): Channel => builtinModule('node:diagnostics_channel')?.channel(name) ?? NONE;
