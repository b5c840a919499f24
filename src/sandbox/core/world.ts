/** One of several services of a process, which has its own part of the control plane. */
export interface World {
  readonly id: string;
  /** Everything that needs no API key is below this path: `/_sandbox/worlds/world_1`. */
  readonly path: string;
}

/** Returns the id of the world that was made as the first, second … of its sandbox. */
export const worldId = (count: number): string => `world_${count}`;
