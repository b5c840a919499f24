import type { Checkpoint, Checkpoints } from '../snapshot/checkpoints.js';

/** `sandbox.checkpoints`: the states that `checkpoint(name)` has kept. */
export interface SandboxCheckpoints {
  /** Returns all checkpoints, oldest first. */
  list(): Checkpoint[];
  /**
   * Forgets a checkpoint.
   *
   * @throws Error for an unknown name.
   */
  remove(name: string): void;
}

export function checkpointControls(checkpoints: Checkpoints): SandboxCheckpoints {
  return {
    list: () => checkpoints.list(),
    remove: (name) => checkpoints.remove(name),
  };
}
