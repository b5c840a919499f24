import type { Operation } from '../../core/operation.js';
import { deleteFundingAddress } from '../../resources/funds/addresses.js';
import type { WireAnswer } from '../http/wire.js';

/** One element of an error's `causes`: a rule that is broken. */
export interface Cause {
  /** The member, parameter or header. */
  readonly field: string;
  readonly message: string;
}

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
    this.causes = causes;
    this.verdict = verdict;
  }
}

export const badRequest = (...causes: readonly Cause[]): Refusal => new Refusal(400, 'bad_request', causes);
export const unauthenticated = (verdict: string): Refusal => new Refusal(401, 'unauthenticated', [], verdict);
export const forbidden = (): Refusal => new Refusal(403, 'forbidden');
export const notFound = (field: string, code = 'not_found'): Refusal =>
  new Refusal(404, code, [{ field, message: 'does not exist' }]);
export const conflict = (field: string, message: string): Refusal => new Refusal(409, 'conflict', [{ field, message }]);

const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  // A status that is made to fail looks like one that comes from a gateway in front of the service.
  403: 'gateway',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  429: 'resource_exhausted',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline_exceeded',
};

/** The refusal for a status alone, for faults. */
export function refusalOf(status: number): Refusal {
  return new Refusal(status, CODES[status] ?? (status < 500 ? 'bad_request' : 'internal'));
}

/** Writes a refusal in the form of `spec.md`, section Errors. `instance` identifies this occurrence. */
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
  // `spec.md` gives `not_found` this type; only Delete funding address says `funding_error` for all of its refusals.
  if (code === 'not_found' && operation?.name !== deleteFundingAddress.name) return 'request_error';
  if (operation?.name.startsWith('funds.')) return 'funding_error';
  return status >= 500 || code === 'gateway' ? 'service_error' : 'request_error';
}

export function jsonAnswer(status: number, body: unknown): WireAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
