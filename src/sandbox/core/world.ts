/** One of several services of a process. It has its own part of the control plane. */
export interface World {
  readonly id: string;
  /** Prefix of all paths that need no API key, for example `/_sandbox/worlds/world_1`. */
  readonly path: string;
}

/** Returns the id of the first, second, … world of a sandbox. */
export const worldId = (count: number): string => `world_${count}`;
