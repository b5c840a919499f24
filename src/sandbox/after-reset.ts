/**
 * Symbol by which the package's own command sets up its webhook and its faults again. It is not
 * part of the public interface. The command is a separate bundle, so the symbol is one that all
 * bundles share.
 */
export const AFTER_RESET = Symbol.for('partner-sdk/sandbox/after-reset');

/** A sandbox that is set up by more than its options. */
export interface Resettable {
  /** Calls `setUp` at the end of each `reset`, before the next request is processed. */
  [AFTER_RESET](setUp: () => void): void;
}
