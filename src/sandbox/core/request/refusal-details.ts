/** The difference of a request from the first one under its idempotency key. */
export interface KeyConflict {
  /** `seq` of the first request. Undefined if it came before this run. */
  readonly first: number | undefined;
  /**
   * `method`, `path`, and members of the body, for example `body.from.amount`, at most 20. `body`
   * without a member means that the bytes differ but the members are the same, or that a body is
   * not JSON or is no longer stored.
   */
  readonly differs: readonly string[];
}

/** The sandbox's signature of a request, beside the one that it received. */
export interface SigningCheck {
  /** The first part of the signed text: path and query, their first 4,096 characters. */
  readonly path: string;
  /** The second part is the SHA-256 of this nonce and the body. */
  readonly nonce: string;
  /** Length of the body in bytes. */
  readonly bodyBytes: number;
  /** The SHA-256 as hex text. Its 32 bytes are signed. */
  readonly sha256: string;
  /** The signature that the sandbox would have accepted. */
  readonly expected: string;
  /** `API-Sign` as received, its first 256 characters. */
  readonly received: string;
  /**
   * The text that was probably signed, if a common mistake explains `received`: its path and its
   * hash as hex text.
   */
  readonly probable?: { readonly path: string; readonly sha256: string } | undefined;
}
