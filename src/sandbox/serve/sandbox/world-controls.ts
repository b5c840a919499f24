import type { SandboxCredentials } from '../../core/keys/api-keys.js';
import type { SandboxFixtures } from '../../kinds/seed/fixtures.js';
import type { WorldOptions } from './world-options.js';

/** A service of its own in the process of the sandbox. */
export interface SandboxWorld {
  /** For example `world_1`. No id comes twice while the sandbox runs. */
  readonly id: string;
  readonly seed: number;
  /** Its first API key: requests with it, and with further ones of this world, come here. */
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
  /** The address of its control plane, without a slash at the end: `<url>/clock/advance`. */
  readonly url: string;
  /** By the machine's clock: milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time of its last request or call, by the machine's clock. */
  readonly lastUse: number;
}

/**
 * `sandbox.worlds`: services beside each other, for tests that run in parallel. Each world has its
 * own data, clock, API keys, faults, webhooks and journal. A request finds its world by its API
 * key; one with an unknown key goes to the sandbox itself. In Node, each `createSandbox` is a
 * world, too.
 */
export interface SandboxWorlds {
  /**
   * Makes a world with the options of the sandbox, but for those given. A world ends with `remove`,
   * with the sandbox, and after an hour of the machine's clock without a request, a call or an open
   * stream. A state file and the hooks of the sandbox leave worlds out.
   *
   * @param origin Scheme, host and port by which its clients reach the sandbox. Default: those of
   *   the request, or on which the sandbox listens.
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
