import type { Lane } from '../lane/lane.js';
import type { Credentials } from '../lane/lanes.js';
import type { Turn } from '../lane/turn.js';
import type { ClientSettings } from '../options.js';
import type { PreparedCall } from '../request/prepare.js';
import type { CallWatch } from './call-events.js';
import type { Lifetime } from './deadline.js';

/** One call, and where and how its attempts are sent: on one lane, with one API key, until one deadline. */
export interface Route {
  readonly call: PreparedCall;
  readonly settings: ClientSettings;
  readonly lane: Lane;
  readonly credentials: Credentials;
  readonly lifetime: Lifetime;
  /** Tells hooks and logger; undefined for a client without them. */
  readonly watch: CallWatch | undefined;
  /** Where the next attempt stands in the lane's queue. */
  readonly turn: Turn;
  /**
   * The secret of this attempt, given by the caller's function: it must never show, and is not kept longer than the
   * call.
   */
  keepApiSecret(text: string): void;
  /** A text that must never show has come to be: a signature, a password. */
  keepSecret(text: string): void;
  /** All texts that must never show. */
  secrets(): readonly string[];
}
