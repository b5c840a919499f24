import type { ErrorBody } from '../../../schema/error-envelope.js';
import type { Operation } from '../../../schema/operation.js';
import { type HttpAnswer, jsonAnswer } from './messages.js';
import { type Cause, isNotFoundOfFunds, lastParameter, notFound, Refusal } from './refusal.js';

const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  // An injected fault looks like the response of a gateway in front of the service.
  403: 'gateway',
  409: 'conflict',
  // Undocumented: the sandbox chose it.
  410: 'gone',
  429: 'resource_exhausted',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline_exceeded',
};

/** Members of an error that a fault sets itself. */
interface OwnMembers {
  readonly code?: string | undefined;
  readonly causes?: readonly Cause[] | undefined;
  readonly type?: string | undefined;
  readonly docUrl?: string | undefined;
}

/** Makes the error of a fault: as the operation declares it, or with the fault's own members. */
export function refusalOf(status: number, operation: Operation | undefined, own: OwnMembers): Refusal {
  const usual = status === 404 ? notFound(operation) : new Refusal(status, codeOf(status), causesOf(status, operation));
  return new Refusal(status, own.code ?? usual.code, own.causes ?? usual.causes);
}

const codeOf = (status: number): string => CODES[status] ?? (status < 500 ? 'bad_request' : 'internal');

/** The API promises causes for 400 and 404. Other statuses may have none. */
function causesOf(status: number, operation: Operation | undefined): Cause[] {
  if (status !== 400) return [];
  return [{ field: lastParameter(operation) ?? 'request', message: 'was rejected because of a simulated fault' }];
}

/** Formats a rejection as the service does. `instance` identifies this occurrence. */
export function errorAnswer(
  refusal: Refusal,
  operation: Operation | undefined,
  instance: string,
  own: OwnMembers = {},
): HttpAnswer {
  const { httpStatus: status, code, causes, details } = refusal;
  const documented = status < 500 ? `https://docs.partner.example/errors#${code}` : undefined;
  const docUrl = own.docUrl ?? documented;
  const error: ErrorBody['error'] = {
    type: own.type ?? typeOf(refusal, operation),
    status,
    instance,
    code,
    ...(docUrl === undefined ? {} : { doc_url: docUrl }),
    ...(causes.length > 0 ? { causes: causes.map((cause) => ({ ...cause })) } : {}),
  };
  const answer = jsonAnswer(status, { error });
  return { ...answer, headers: { ...answer.headers, ...details.headers }, instance };
}

function typeOf({ httpStatus: status, code }: Refusal, operation: Operation | undefined): string {
  if (status === 409 || status === 410) return 'state_error';
  // Gateway errors have no domain-specific type: one gateway fronts the whole API.
  if (code === 'gateway') return 'service_error';
  if (code === 'not_found' && !isNotFoundOfFunds(operation)) return 'request_error';
  if (operation?.name.startsWith('funds.')) return 'funding_error';
  return status >= 500 ? 'service_error' : 'request_error';
}
