import type { WrittenSnapshot } from './snapshot-schema.js';

/**
 * Symbol by which the package's own command stores the state in a file and sets its webhook up
 * again. The command is a separate bundle, so the symbol is one that all bundles share.
 */
export const KEEPING = Symbol.for('partner-sdk/sandbox/keeping');

export interface Kept {
  readonly [KEEPING]: KeptService;
}

export interface StateKeeper {
  /** Called after the state may have changed. */
  changed(): void;
  /** Called with each snapshot: stores the state at once, if it can be stored. */
  trySave(): void;
}

/** The parts of a service that the command needs. */
export interface KeptService {
  /** Called after timers of the sandbox's clock and with each snapshot. */
  keeper: StateKeeper | undefined;
  /** Called at the end of each `reset`, before the next request is processed. */
  afterReset: () => void;
  /** Returns a snapshot, without a call of the keeper. */
  snapshot(): WrittenSnapshot;
}
