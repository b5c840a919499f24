import type { LeasedKey } from './leased-key.js';
import type { LeaseSettings } from './options.js';
import { WaitingCalls } from './waiting-calls.js';

/** All clients of a source that have the same API keys. */
export class ClientGroup {
  readonly keys: readonly LeasedKey[];
  /** The number of open clients. */
  clients = 0;
  /** True from a call until an API key is given back because nothing was to be sent. */
  isWanted = false;
  /** The calls that wait until it is known with which API key they are sent. */
  readonly waiting: WaitingCalls<readonly string[]>;
  readonly #number: number;

  constructor(keys: readonly LeasedKey[], { keysPerProcess, acquireTimeout }: LeaseSettings) {
    this.keys = keys;
    this.#number = Math.min(keysPerProcess, keys.length);
    this.waiting = new WaitingCalls(() => this.choice(), acquireTimeout);
  }

  /** The API keys that are held for all calls; if there are none, those held for single calls. */
  get own(): readonly LeasedKey[] {
    const usable = this.keys.filter(({ held }) => held?.isUsable);
    const own = usable.filter(({ held }) => !held?.isExtra);
    return own.length > 0 ? own : usable;
  }

  /** True if the process wants more of these API keys than it holds. */
  get isMissing(): boolean {
    return (this.isWanted || this.waiting.size > 0) && this.own.length < this.#number;
  }

  /** True if calls wait and there is no API key for them. */
  get isUrgent(): boolean {
    const isAwaited = this.waiting.size > 0 || this.keys.some(({ waiting }) => waiting.size > 0);
    return isAwaited && this.own.length === 0;
  }

  /**
   * Returns the API keys with which the next call may be sent: those that are held, otherwise the
   * one that will be available soonest. Undefined while it is not known which of them are free.
   */
  choice(): readonly string[] | undefined {
    const { own, keys } = this;
    if (own.length > 0) return own.map(({ apiKey }) => apiKey);
    if (keys.length === 1) return keys.map(({ apiKey }) => apiKey);
    if (keys.some((key) => !key.held?.isValid && key.waiting.size === 0 && key.dueIn(true) === 0)) return undefined;
    const best = keys.reduce((one, other) => (other.cost < one.cost ? other : one));
    return best.cost < Infinity ? [best.apiKey] : undefined;
  }
}
