import { clipped, printable } from '../../../util/printable.js';
import { maskedText } from '../../core/masked.js';
import type { BooksCheck } from '../../kinds/books.js';
import type { JournalEntry } from '../journal/journal.js';
import type { ServiceParts } from '../parts.js';

/** Something that a check has found. It has no secret and no body. */
export interface CheckEvidence {
  /** A sentence that says what it is. */
  readonly text: string;
  /** The request that shows it, by its `seq`. */
  readonly seq?: number | undefined;
  /** The resource that shows it. */
  readonly resource?: { readonly kind: string; readonly id: string } | undefined;
}

/** The result of a check. `unseen`: nothing has happened yet that it could judge. */
export type CheckStatus = 'passed' | 'failed' | 'unseen';

/** One check of an integration. */
export interface SandboxCheck {
  /** For example `nonces`. */
  readonly id: string;
  /** The fact that holds if it has passed. */
  readonly title: string;
  /** Why it matters, and what to do if it fails. */
  readonly meaning: string;
  readonly status: CheckStatus;
  /** Number of all that was found. */
  readonly found: number;
  /** The newest 100 of it, newest first: why it failed, or what is missing to judge it. */
  readonly evidence: readonly CheckEvidence[];
}

/** The data that a rule looks at. */
export interface Seen {
  /**
   * The requests of the partner, oldest first. Those that the sandbox itself has sent are not
   * there.
   */
  readonly requests: readonly JournalEntry[];
  /** The same by key, method and target: a request and its repeats. */
  readonly groups: readonly (readonly JournalEntry[])[];
  /** True if the service knew the sender of one of them. */
  readonly isKnown: boolean;
  readonly books: BooksCheck;
  readonly service: ServiceParts;
}

/** Findings of a rule, oldest first. */
export interface Finding {
  readonly status: CheckStatus;
  readonly evidence: readonly CheckEvidence[];
}

/** One rule of a good integration. */
export interface CheckRule extends Pick<SandboxCheck, 'id' | 'title' | 'meaning'> {
  judge(seen: Seen): Finding;
}

/** Fails by any evidence. Without it, it has passed if there was something to judge. */
export function findingOf(wasSeen: boolean, evidence: readonly CheckEvidence[]): Finding {
  if (evidence.length > 0) return { status: 'failed', evidence };
  return { status: wasSeen ? 'passed' : 'unseen', evidence };
}

/** Longest foreign text in evidence, in characters. */
const MAX_TEXT_LENGTH = 120;

/** Text from outside, fit for a report. */
export const told = (text: string): string => clipped(printable(maskedText(text)), MAX_TEXT_LENGTH);

/** Names a request: its operation, or its path without the query. */
export const nameOf = ({ operation, method, path }: JournalEntry): string =>
  operation ?? told(`${method} ${path.split('?', 1)[0]}`);

/** The bytes of a request's body. Undefined if they are not kept as a whole. */
export function bodyOf({ journal }: ServiceParts, { seq }: JournalEntry): Uint8Array | undefined {
  const body = journal.exchanges?.get(seq)?.body;
  return body === undefined || body.isCut ? undefined : Buffer.from(body.bytes);
}

/** The moment of its answer by the machine's clock. NaN if its bytes are not kept. */
export const answeredAt = ({ journal }: ServiceParts, { seq }: JournalEntry): number =>
  journal.exchanges?.get(seq)?.answeredAt ?? Number.NaN;
