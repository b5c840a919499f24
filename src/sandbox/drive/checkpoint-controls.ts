import type { DrivenService } from './service/driven.js';
import type { Checkpoint } from './snapshot/checkpoints.js';

/** `sandbox.checkpoints`: named copies of the state. */
export interface SandboxCheckpoints {
  /**
   * Saves the current state under a name, for `restore(name)`. It replaces an earlier checkpoint of
   * that name. A sandbox keeps at most 100 checkpoints, of 256 million characters of JSON together.
   *
   * @param name Name of the checkpoint.
   * @throws TypeError for a name that is not text, Error beyond these limits.
   */
  add(name: string): Checkpoint;
  /** Returns all checkpoints, oldest first. */
  list(): Checkpoint[];
  /**
   * Removes a checkpoint.
   *
   * @throws Error for an unknown name.
   */
  remove(name: string): void;
}

export function checkpointControls(service: DrivenService): SandboxCheckpoints {
  const { checkpoints } = service;
  return {
    add: (name) => checkpoints.add(name, service.snapshot()),
    list: () => checkpoints.list(),
    remove: (name) => checkpoints.remove(name),
  };
}
