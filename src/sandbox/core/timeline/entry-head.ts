/** The common members of all entries of the timeline. */
export interface EntryHead {
  /** Its place among all entries of a sandbox: 1 is the oldest. It goes on rising after a reset. */
  readonly seq: number;
  /** Time by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** Time by the machine's clock: milliseconds since the epoch. */
  readonly real: number;
  /** `seq` of the entry that brought it about: a request, a timer or a call of the controls. */
  readonly cause?: number | undefined;
}
