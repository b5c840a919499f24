import { deleteFundingAddress } from '../../../resources/funds/addresses.js';
import { getBankLink } from '../../../resources/funds/bank-links.js';
import { getUser } from '../../../resources/users/users.js';
import type { Operation } from '../../../schema/operation.js';
import { clipped } from '../../../util/printable.js';
import type { KeyConflict, SigningCheck } from './refusal-details.js';

/** One element of an error's `causes`: a broken rule. */
export interface Cause {
  /** Name of the member, parameter or header. */
  readonly field: string;
  /** Message about what is wrong with it. */
  readonly message: string;
}

/** Maximum number of causes in an error: each member of a 1 MB body can break a rule. */
const MAX_CAUSES = 100;

/** Maximum length of a text in a cause, in characters; a longer text is cut. */
const MAX_CAUSE_LENGTH = 200;

/** Facts about a rejection that its body does not contain. */
export interface RefusalDetails {
  /** Additional headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the journal: one sentence about the probable mistake. */
  readonly likely?: string | undefined;
  /** For the journal: the difference from the first request under its idempotency key. */
  readonly conflict?: KeyConflict | undefined;
  /** For the journal: the values that were signed. */
  readonly signing?: SigningCheck | undefined;
  /** For the journal: probable mistakes that break no rule. */
  readonly warnings?: readonly Cause[] | undefined;
}

/** A rejection by the service. `errorAnswer` formats it. */
export class Refusal extends Error {
  readonly httpStatus: number;
  readonly code: string;
  readonly causes: readonly Cause[];
  /** The verdict in the journal. */
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
    this.httpStatus = status;
    this.code = code;
    this.causes = boundedCauses(causes);
    this.verdict = verdict;
    this.details = details;
  }
}

/** Returns the first causes, with shortened texts. */
export const boundedCauses = (causes: readonly Cause[]): Cause[] => causes.slice(0, MAX_CAUSES).map(bounded);

function bounded({ field, message }: Cause): Cause {
  return { field: clipped(field, MAX_CAUSE_LENGTH), message: clipped(message, MAX_CAUSE_LENGTH) };
}

export const badRequest = (...causes: readonly Cause[]): Refusal => new Refusal(400, 'bad_request', causes);
export const forbidden = (...causes: readonly Cause[]): Refusal => new Refusal(403, 'forbidden', causes);
export const conflict = (field: string, message: string): Refusal => new Refusal(409, 'conflict', [{ field, message }]);

/** The 404 codes other than `not_found`, by operation. */
const NOT_FOUND_CODES: ReadonlyMap<string, string> = new Map([
  [getUser.name, 'user_not_found'],
  [getBankLink.name, 'bank_link_not_found'],
]);

/** True for the one operation whose `not_found` has the type of other errors of funds. */
export const isNotFoundOfFunds = (operation: Operation | undefined): boolean =>
  operation?.name === deleteFundingAddress.name;

/** Returns the 404 that the operation declares. Its cause names the last path parameter. */
export function notFound(operation: Operation | undefined): Refusal {
  const code = NOT_FOUND_CODES.get(operation?.name ?? '') ?? 'not_found';
  return new Refusal(404, code, [{ field: lastParameter(operation) ?? 'path', message: 'does not exist' }]);
}

/** Returns the given value. Throws the 404 of the operation if there is none. */
export function existing<T>(operation: Operation, value: T | undefined): T {
  if (value === undefined) throw notFound(operation);
  return value;
}

export function lastParameter(operation: Operation | undefined): string | undefined {
  return /\{([^{}]+)\}[^{}]*$/.exec(operation?.path ?? '')?.[1];
}
