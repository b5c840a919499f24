/**
 * The package's own command sets its webhook and its faults up again by this symbol. It is not part
 * of the public interface. The command is a bundle of its own, so the symbol is one that all
 * bundles share.
 */
export const AFTER_RESET = Symbol.for('partner-sdk/sandbox/after-reset');

/** A sandbox that is set up by more than its options. */
export interface Resettable {
  /** Runs `setUp` at the end of each `reset`, before a further request is judged. */
  [AFTER_RESET](setUp: () => void): void;
}
