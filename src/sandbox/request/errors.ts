import { deleteFundingAddress } from '../../resources/funds/addresses.js';
import { getBankLink } from '../../resources/funds/bank-links.js';
import { getUser } from '../../resources/users/users.js';
import type { Operation } from '../../schema/operation.js';
import type { WireAnswer } from '../http/wire.js';
import { shortened } from './shortened.js';

/** One element of an error's `causes`: a rule that is broken. */
export interface Cause {
  /** The member, parameter or header. */
  readonly field: string;
  readonly message: string;
}

/** The most causes that one refusal tells: a body of a megabyte can break a rule with each of its members. */
const MAX_CAUSES = 100;

/** The longest text in a cause, in characters; what is longer is cut. */
const MAX_CAUSE_TEXT = 200;

/** The service says no. Thrown wherever a rule is broken, written on the wire in one place. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly causes: readonly Cause[];
  /** What the journal says about it. */
  readonly verdict: string;

  constructor(status: number, code: string, causes: readonly Cause[] = [], verdict: string = code) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.causes = causes.slice(0, MAX_CAUSES).map(bounded);
    this.verdict = verdict;
  }
}

function bounded({ field, message }: Cause): Cause {
  return { field: shortened(field, MAX_CAUSE_TEXT), message: shortened(message, MAX_CAUSE_TEXT) };
}

export const badRequest = (...causes: readonly Cause[]): Refusal => new Refusal(400, 'bad_request', causes);
export const unauthenticated = (verdict: string): Refusal => new Refusal(401, 'unauthenticated', [], verdict);
export const forbidden = (...causes: readonly Cause[]): Refusal => new Refusal(403, 'forbidden', causes);
export const conflict = (field: string, message: string): Refusal => new Refusal(409, 'conflict', [{ field, message }]);

/** The operations whose 404 has a code of its own. */
const NOT_FOUND_CODES: Readonly<Record<string, string>> = {
  [getUser.name]: 'user_not_found',
  [getBankLink.name]: 'bank_link_not_found',
};

/** 404 as the operation declares it, naming the last parameter of its path: what that leads to does not exist. */
export function notFound(operation: Operation | undefined): Refusal {
  const code = NOT_FOUND_CODES[operation?.name ?? ''] ?? 'not_found';
  return new Refusal(404, code, [{ field: lastParameter(operation) ?? 'path', message: 'does not exist' }]);
}

function lastParameter(operation: Operation | undefined): string | undefined {
  return /\{([^{}]+)\}[^{}]*$/.exec(operation?.path ?? '')?.[1];
}

const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  // A status that is made to fail looks like one that comes from a gateway in front of the service.
  403: 'gateway',
  409: 'conflict',
  // Not documented: the sandbox's own choice.
  410: 'gone',
  429: 'resource_exhausted',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline_exceeded',
};

/** The refusal of an operation for a status alone, or with another code than its own: for faults. */
export function refusalOf(status: number, operation: Operation | undefined, code?: string): Refusal {
  const usual = status === 404 ? notFound(operation) : new Refusal(status, codeOf(status), causesOf(status, operation));
  return code === undefined ? usual : new Refusal(status, code, usual.causes);
}

const codeOf = (status: number): string => CODES[status] ?? (status < 500 ? 'bad_request' : 'internal');

/** The API promises causes with 400 and 404; with other statuses they may be absent. */
function causesOf(status: number, operation: Operation | undefined): Cause[] {
  if (status !== 400) return [];
  return [{ field: lastParameter(operation) ?? 'request', message: 'is refused because a fault was asked for' }];
}

/** Writes a refusal in the service's error form. `instance` identifies this occurrence. */
export function errorAnswer(refusal: Refusal, operation: Operation | undefined, instance: string): WireAnswer {
  const { status, code, causes } = refusal;
  const error = {
    type: typeOf(refusal, operation),
    status,
    instance,
    code,
    ...(status < 500 ? { doc_url: `https://docs.partner.example/errors#${code}` } : {}),
    ...(causes.length > 0 ? { causes } : {}),
  };
  return jsonAnswer(status, { error });
}

function typeOf({ status, code }: Refusal, operation: Operation | undefined): string {
  if (status === 409 || status === 410) return 'state_error';
  // A gateway stands in front of all domains of the API.
  if (code === 'gateway') return 'service_error';
  // The service gives `not_found` this type; only the deletion of a funding address has `funding_error` for all of its
  // refusals.
  if (code === 'not_found' && operation?.name !== deleteFundingAddress.name) return 'request_error';
  if (operation?.name.startsWith('funds.')) return 'funding_error';
  return status >= 500 ? 'service_error' : 'request_error';
}

export function jsonAnswer(status: number, body: unknown): WireAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
