import type { WrittenSnapshot } from './snapshot-schema.js';

/** By it the package's own command, which is another bundle, stores the state in a file. */
export const KEEPING = Symbol.for('partner-sdk/sandbox/keeping');

/** A sandbox whose state can be stored in a file. */
export interface Kept {
  readonly [KEEPING]: KeptService;
}

/** Stores the state. */
export interface StateKeeper {
  /** Called after the state may have changed. */
  changed(): void;
  /** Called with each snapshot: stores the state at once, if it can be stored. */
  trySave(): void;
}

/** The parts of a service that storing needs. */
export interface KeptService {
  /** Called after timers of the sandbox's clock and with each snapshot. */
  keeper: StateKeeper | undefined;
  /** Returns a snapshot, without a call of the keeper. */
  snapshot(): WrittenSnapshot;
}
