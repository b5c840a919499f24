/** The errors of each operation: declared by the service's description, and common ones. */
import { API_ERROR_CLASSES } from '../../src/errors.js';
import { errorBody } from '../../src/schema/error-envelope.js';
import type { JsonSchema } from '../schemas/components.js';
import { schemaOf } from '../schemas/rules.js';

/** Every operation may answer these. */
const COMMON: Readonly<Record<number, readonly [name: string, code: string, meaning: string]>> = {
  400: [
    'BadRequest',
    'bad_request',
    'A value breaks a rule, or the request cannot be processed. `causes` lists the fields.',
  ],
  401: ['Unauthenticated', 'unauthenticated', 'The credentials are missing, invalid or not accepted.'],
  403: ['Forbidden', 'forbidden', 'The caller may not do this. From a gateway: type `service_error`, code `gateway`.'],
  404: ['NotFound', 'not_found', 'The resource does not exist.'],
  409: ['Conflict', 'conflict', 'The state of the resource, or the idempotency key, conflicts with the request.'],
  429: ['ResourceExhausted', 'resource_exhausted', 'A rate limit or a quota is exceeded.'],
  500: ['Internal', 'internal', 'An unexpected error of the service.'],
  501: ['Unimplemented', 'unimplemented', 'The operation is not implemented.'],
  503: ['Unavailable', 'unavailable', 'The service is temporarily unavailable.'],
  504: ['DeadlineExceeded', 'deadline_exceeded', 'Something behind the service did not finish in time.'],
};

const USUAL = [400, 401, 403, 429, 500, 501, 503, 504];
const WITHOUT_501 = [400, 401, 403, 429, 500, 503, 504];

/** The statuses that the service's description declares, where it lists them. */
const DECLARED: Readonly<Record<string, readonly number[]>> = {
  'users.get': [...USUAL, 404],
  'users.verifications.list': USUAL,
  'accounts.onDemandConversions.list': WITHOUT_501,
  'accounts.onchainQuotes.create': [400],
  'accounts.portfolio.details': USUAL,
  'rampQuotes.prospective': USUAL,
  'funds.withdrawalAddresses.save': [400, 401, 409, 429, 500, 503, 504],
  'funds.withdrawalAddresses.update': [400, 401, 404, 409, 429, 500, 503, 504],
  'funds.addresses.delete': [...USUAL, 404],
  'funds.bankLinks.get': [...USUAL, 404],
  'funds.depositLimits.list': WITHOUT_501,
  'webhooks.list': USUAL,
};

/** Statuses with `Retry-After`. */
const RETRYABLE = [429, 503];

const nameOf = (status: number): string => COMMON[status]?.[0] ?? `Status${status}`;

/**
 * Returns the error responses of an operation, by status.
 *
 * @param throws The texts of its `@throws` tags: they name classes of errors, and codes.
 */
export function errorResponses(operation: string, throws: readonly string[]): Record<string, JsonSchema> {
  const declared = DECLARED[operation] ?? [];
  const documented = documentedIn(throws);
  const responses = new Map<number, JsonSchema>();
  for (const status of new Set([...Object.keys(COMMON).map(Number), ...documented.keys(), ...declared])) {
    const code = documented.get(status);
    if (code !== undefined) responses.set(status, ownResponse(status, code));
    else
      responses.set(status, {
        $ref: `#/components/responses/${declared.includes(status) ? '' : 'Common'}${nameOf(status)}`,
      });
  }
  const sorted = [...responses].sort(([a], [b]) => a - b).map(([status, response]) => [String(status), response]);
  return { ...Object.fromEntries(sorted), default: { $ref: '#/components/responses/OtherError' } };
}

/** Statuses with their codes; `''` where the docstring names none. */
function documentedIn(throws: readonly string[]): Map<number, string> {
  const found = new Map<number, string>();
  for (const [status, { name }] of API_ERROR_CLASSES) {
    const mention = throws
      .map((text) => new RegExp(`\\b${name}\\b(?: with code \`(\\w+)\`)?`).exec(text))
      .find(Boolean);
    if (mention) found.set(status, mention[1] ?? '');
  }
  return found;
}

function ownResponse(status: number, code: string): JsonSchema {
  const [, usualCode, meaning] = COMMON[status] ?? [];
  const text = meaning ?? 'The resource is gone: its time is over.';
  const known = code || usualCode;
  return responseOf(status, `${text}${known === undefined ? '' : ` Code \`${known}\`.`}`);
}

function responseOf(status: number | undefined, description: string): JsonSchema {
  return {
    description,
    ...(status !== undefined && RETRYABLE.includes(status)
      ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
      : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
  };
}

/** The shared responses: each status as it is declared, and as one of the common errors. */
export function sharedResponses(): Record<string, JsonSchema> {
  const shared = Object.entries(COMMON).flatMap(([status, [name, code, meaning]]) => {
    const response = responseOf(Number(status), `${meaning} Code \`${code}\`.`);
    return [
      ...(isDeclared(Number(status)) ? [[name, response]] : []),
      [`Common${name}`, { ...response, 'x-common': true }],
    ];
  });
  return {
    ...Object.fromEntries(shared),
    OtherError: { ...responseOf(undefined, 'Any other error.'), 'x-common': true },
  };
}

/** False for a status that every declaration gives its own code. */
const isDeclared = (status: number): boolean => status !== 404 && status !== 409;

/** The meanings of an error's members. */
const MEANINGS: Readonly<Record<string, string>> = {
  type: 'Machine-readable class, for example `request_error`.',
  status: 'Same as the HTTP status.',
  instance: 'Identifier of this occurrence of the error.',
  code: 'Stable machine-readable code.',
  causes: 'Of a validation error each has `field` and `message`; of other errors it is a free object.',
};

/** The form of every error, by the schema with which the client reads it. */
function errorSchema(): JsonSchema {
  const { error } = errorBody()._zod.def.shape;
  const { properties = {}, ...schema } = schemaOf(error);
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, member]) => {
    // A cause may be any object.
    const item = member['items'] === undefined ? {} : { items: { type: 'object' } };
    return [name, { ...member, ...item, description: MEANINGS[name] }];
  });
  return {
    description: 'The reason why the service has refused or failed a request.',
    ...schema,
    properties: Object.fromEntries(members),
  };
}

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ErrorBody: {
    type: 'object',
    properties: { error: { $ref: '#/components/schemas/Error' } },
    required: ['error'],
  },
  Error: errorSchema(),
};
