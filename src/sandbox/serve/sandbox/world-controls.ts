import type { SandboxCredentials } from '../../core/keys/api-keys.js';
import type { SandboxFixtures } from '../../kinds/seed/fixtures.js';
import type { WorldOptions } from './world-options.js';

/** A separate service in the process of the sandbox. */
export interface SandboxWorld {
  /** For example `world_1`. Unique while the sandbox runs. */
  readonly id: string;
  readonly seed: number;
  /**
   * Its first API key. Requests with this key, or another key of this world, are for this world.
   */
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
  /** URL of its control plane, without a final slash: `<url>/clock/advance`. */
  readonly url: string;
  /** Creation time by the machine's clock: milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time of its last request or call, by the machine's clock. */
  readonly lastUse: number;
}

/**
 * `sandbox.worlds`: separate services in one process, for tests that run in parallel. Each world
 * has its own data, clock, API keys, faults, webhooks and journal. The API key of a request selects
 * its world; a request with an unknown key is for the sandbox itself. In Node, each `createSandbox`
 * is separate, too.
 */
export interface SandboxWorlds {
  /**
   * Makes a world with the options of the sandbox, except for the given ones. A world ends with
   * `remove`, with the sandbox, and after an hour of the machine's clock without a request, a call
   * or an open stream. It is not in the sandbox's state file, and does not call the sandbox's
   * hooks.
   *
   * @param origin Scheme, host and port at which its clients reach the sandbox. Default: those of
   * the request, or those on which the sandbox listens.
   * @throws TypeError for an unknown or wrong option. Error if there are 100 worlds.
   */
  add(options?: WorldOptions, origin?: string): SandboxWorld;
  /** Returns the worlds, oldest first. */
  list(origin?: string): SandboxWorld[];
  /**
   * Ends a world: its requests, deliveries and streams break off, and its API keys are unknown.
   *
   * @throws TypeError for an id that is not text. Error for an unknown world.
   */
  remove(id: string): void;
}
