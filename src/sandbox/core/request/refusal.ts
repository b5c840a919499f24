import { deleteFundingAddress } from '../../../resources/funds/addresses.js';
import { getBankLink } from '../../../resources/funds/bank-links.js';
import { getUser } from '../../../resources/users/users.js';
import type { Operation } from '../../../schema/operation.js';
import { clipped } from '../../../util/printable.js';
import type { KeyConflict, SigningCheck } from './refusal-details.js';

/** One element of an error's `causes`: a broken rule. */
export interface Cause {
  /** The member, parameter or header. */
  readonly field: string;
  /** What is wrong with it. */
  readonly message: string;
}

/** Further causes are left out: a body of a megabyte can break a rule with each of its members. */
const MAX_CAUSES = 100;

/** Longest text in a cause, in characters; a longer one is cut. */
const MAX_CAUSE_LENGTH = 200;

/** Facts of a refusal beside its answer. */
export interface RefusalDetails {
  /** Further headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the journal: the mistake that was probably made, as a sentence. */
  readonly likely?: string | undefined;
  /** For the journal: how it differs from the first request under its idempotency key. */
  readonly conflict?: KeyConflict | undefined;
  /** For the journal: what was signed. */
  readonly signing?: SigningCheck | undefined;
  /** For the journal: what is probably a mistake, beside the broken rules. */
  readonly warnings?: readonly Cause[] | undefined;
}

/** A refusal by the service. `errorAnswer` writes it on the wire. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly causes: readonly Cause[];
  /** Verdict in the journal. */
  readonly verdict: string;
  readonly details: RefusalDetails;

  constructor(
    status: number,
    code: string,
    causes: readonly Cause[] = [],
    verdict: string = code,
    details: RefusalDetails = {},
  ) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.causes = boundedCauses(causes);
    this.verdict = verdict;
    this.details = details;
  }
}

/** Returns the first of the causes, with texts that are cut. */
export const boundedCauses = (causes: readonly Cause[]): Cause[] => causes.slice(0, MAX_CAUSES).map(bounded);

function bounded({ field, message }: Cause): Cause {
  return { field: clipped(field, MAX_CAUSE_LENGTH), message: clipped(message, MAX_CAUSE_LENGTH) };
}

export const badRequest = (...causes: readonly Cause[]): Refusal => new Refusal(400, 'bad_request', causes);
export const forbidden = (...causes: readonly Cause[]): Refusal => new Refusal(403, 'forbidden', causes);
export const conflict = (field: string, message: string): Refusal => new Refusal(409, 'conflict', [{ field, message }]);

/** The codes of 404 that differ from `not_found`, by operation. */
const NOT_FOUND_CODES: ReadonlyMap<string, string> = new Map([
  [getUser.name, 'user_not_found'],
  [getBankLink.name, 'bank_link_not_found'],
]);

/** True for the one operation whose `not_found` has the type of the other errors of funds. */
export const isNotFoundOfFunds = (operation: Operation | undefined): boolean =>
  operation?.name === deleteFundingAddress.name;

/** 404 as the operation declares it. Its cause names the last parameter of the path. */
export function notFound(operation: Operation | undefined): Refusal {
  const code = NOT_FOUND_CODES.get(operation?.name ?? '') ?? 'not_found';
  return new Refusal(404, code, [{ field: lastParameter(operation) ?? 'path', message: 'does not exist' }]);
}

export function lastParameter(operation: Operation | undefined): string | undefined {
  return /\{([^{}]+)\}[^{}]*$/.exec(operation?.path ?? '')?.[1];
}
