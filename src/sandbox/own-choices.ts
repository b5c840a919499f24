/** Something that nobody documents, so that the sandbox had to choose. */
export interface OwnChoice {
  /** The operation, for example `funds.withdrawals.create`; `''` for all. */
  readonly operation: string;
  /** A sentence about what the sandbox does. The real service may do otherwise. */
  readonly choice: string;
}

/** The sandbox's own choices. `docs/sandbox.md` prints them. */
export const OWN_CHOICES: readonly OwnChoice[] = [];
