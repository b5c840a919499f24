import { clipped, printable } from '../../../util/printable.js';
import { maskedText } from '../../core/basics/masked.js';
import type { BooksCheck } from '../../kinds/registry/books.js';
import type { JournalEntry } from '../journal/journal.js';
import type { ServiceParts } from '../parts.js';

/** A finding of a check. It contains no secret and no body. */
export interface CheckEvidence {
  /** One sentence about the finding. */
  readonly text: string;
  /** Number of findings that the sentence is about. Default 1. */
  readonly count?: number | undefined;
  /** `seq` of the request concerned. */
  readonly seq?: number | undefined;
  /** The resource concerned. */
  readonly resource?: { readonly kind: string; readonly id: string } | undefined;
}

/** The result of a check. `unseen`: no relevant request or event has occurred yet. */
export type CheckStatus = 'passed' | 'failed' | 'unseen';

/** One check of an integration. */
export interface SandboxCheck {
  /** For example `nonces`. */
  readonly id: string;
  /** Sentence that is true if the check passed. */
  readonly title: string;
  /** Reason why it matters, and what to do if the check fails. */
  readonly meaning: string;
  readonly status: CheckStatus;
  /** Only if the check failed: what happened, for example `12 requests were rejected with 401`. */
  readonly failure?: string | undefined;
  /** Total number of findings. It is the number in `failure`. */
  readonly found: number;
  /** The newest 100 findings, newest first: why it failed, or what is missing to judge it. */
  readonly evidence: readonly CheckEvidence[];
}

/** The data that the rules check. */
export interface CheckInput {
  /** The requests of the partner, oldest first, without requests that the sandbox itself sent. */
  readonly requests: readonly JournalEntry[];
  /** The same requests, grouped by API key, method and target: a request and its retries. */
  readonly groups: readonly (readonly JournalEntry[])[];
  /** True if at least one of them is authentic. */
  readonly isKnown: boolean;
  readonly books: BooksCheck;
  readonly service: ServiceParts;
}

/** Findings of a rule, oldest first. */
export interface Finding {
  readonly status: CheckStatus;
  readonly evidence: readonly CheckEvidence[];
}

/** A rule of a good integration. */
export interface CheckRule extends Pick<SandboxCheck, 'id' | 'title' | 'meaning'> {
  /** What follows the number in `SandboxCheck.failure`. Absent: the rule cannot fail. */
  readonly failure?: readonly [one: string, several: string];
  judge(input: CheckInput): Finding;
}

/** Returns `failed` with evidence, else `passed` if something could be judged. */
export function findingOf(couldJudge: boolean, evidence: readonly CheckEvidence[]): Finding {
  if (evidence.length > 0) return { status: 'failed', evidence };
  return { status: couldJudge ? 'passed' : 'unseen', evidence };
}

/** Like `findingOf`, with one finding for each of these requests. */
export const findingOfRequests = (
  couldJudge: boolean,
  wrong: readonly JournalEntry[],
  textOf: (entry: JournalEntry) => string,
): Finding =>
  findingOf(
    couldJudge,
    wrong.map((entry) => ({ text: textOf(entry), seq: entry.seq })),
  );

/** Maximum length of a quoted text in characters; a longer one is cut. */
const MAX_TEXT_LENGTH = 120;

/** Prepares a text from outside for a report: without secrets, printable and short. */
export const quoted = (text: string): string => clipped(printable(maskedText(text)), MAX_TEXT_LENGTH);

/** Returns the name of a request: its operation, or its path without the query. */
export const nameOf = ({ operation, method, path }: JournalEntry): string =>
  operation ?? quoted(`${method} ${path.split('?', 1)[0]}`);

/** Returns the bytes of a request's body. Undefined unless all of them are kept. */
export function bodyOf({ journal }: ServiceParts, { seq }: JournalEntry): Uint8Array | undefined {
  const body = journal.exchanges?.get(seq)?.body;
  return body === undefined || body.isCut ? undefined : Buffer.from(body.bytes);
}

/** Returns the time of the response by the machine's clock. NaN if the exchange is not kept. */
export const answeredAt = ({ journal }: ServiceParts, { seq }: JournalEntry): number =>
  journal.exchanges?.get(seq)?.answeredAt ?? Number.NaN;
