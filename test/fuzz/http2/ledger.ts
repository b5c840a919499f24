/** What the service did, by the tags of the calls. */
export interface Ledger {
  /** The idempotency key of each effect, in order; an empty text for a write without key. */
  readonly effects: Readonly<Record<string, readonly string[]>>;
  /** Nonces that arrived twice. */
  readonly repeatedNonces: readonly string[];
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>;
}

export type ServiceMessage =
  | { readonly type: 'listening'; readonly url: string; readonly ca: string }
  | { readonly type: 'ledger'; readonly ledger: Ledger };

export const KINDS = ['read', 'keyed write', 'unkeyed write', 'delete'] as const;
export type Kind = (typeof KINDS)[number];

/** How a call ended, as its caller saw it. */
export interface Ended {
  readonly tag: string;
  readonly kind: Kind;
  /** `success`, or the outcome of its error. */
  readonly end: 'success' | 'not_applied' | 'unknown' | 'applied' | 'no error of ours';
  /** The error and its attempts, for a report. */
  readonly detail: string;
  /** The id that a successful answer has. */
  readonly id: unknown;
  readonly ms: number;
}
