import type { CallOptions, OtpProvider } from './call-options.js';
import { isRecord } from './checks.js';
import { type CallFacts, type Issue, ProviderError } from './errors.js';
import type { CallRequest } from './execute.js';
import type { HttpMethod, Operation, OperationInput } from './operation.js';
import { normalisePath } from './path.js';

/** The part of the Standard Schema interface (standardschema.dev) that is used: zod, valibot, arktype and others have it. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** What `client.request()` takes: an operation of the service that has no method of its own yet. */
export interface RequestOptions<Output = unknown> extends Omit<CallOptions, 'otp'> {
  readonly method: HttpMethod;
  /** Path below `baseUrl`, ids percent-encoded, for instance `/v1/accounts/${encodeURIComponent(id)}/transfers`. */
  readonly path: string;
  /** Members become query parameters in their order; arrays become repeated names; undefined ones are left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** JSON value; a `Decimal` in it becomes plain decimal text. */
  readonly body?: unknown;
  /** Checks and types the value. Default: the value comes as `unknown`. */
  readonly schema?: StandardSchema<Output> | undefined;
  /**
   * The caller's statement that this operation honours `Idempotency-Key`: a key is sent, and the write is repeated like every keyed
   * one. Default false for POST, PUT and PATCH: no key, repeated only when it cannot have had an effect.
   */
  readonly idempotent?: boolean | undefined;
  /** One-time password (`API-Otp`): text, a function asked once per attempt, or `true` for the client's. Default: none is sent. */
  readonly otp?: string | OtpProvider | true | undefined;
  /** True (default): the answer's `data` member is the value, or the whole body when it has none. False: always the whole body. */
  readonly unwrap?: boolean | undefined;
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies HttpMethod[];

/** The call that `client.request()` describes, with the issues of its description. */
export function operationOf<T>(request: RequestOptions<T>): {
  readonly request: CallRequest<T>;
  readonly input: OperationInput;
} {
  const described: RequestOptions<T> = isRecord(request) ? request : { method: 'GET', path: '' };
  const { method, path, query, body, schema, idempotent, unwrap, ...options } = described;
  const clientsOtp = options.otp === true;
  const issues = wrongKinds(described);
  if (!METHODS.includes(method)) issues.push({ path: 'method', message: `must be one of ${METHODS.join(', ')}` });
  const normalised = normalisePath(path, issues);
  if (normalised.includes('?') && Object.keys(query ?? {}).length > 0) {
    issues.push({ path: 'query', message: 'must not be given when the path has a query' });
  }
  if (method === 'GET' && body !== undefined) issues.push({ path: 'body', message: 'must not be given with GET' });
  if (idempotent && (method === 'GET' || method === 'DELETE')) {
    issues.push({ path: 'idempotent', message: `must not be given with ${method}: it is repeated without a key` });
  }
  const template = maskIds(normalised);
  const operation: Operation<T> = {
    name: `${method} ${template}`,
    title: 'Request',
    stability: 'partial',
    method,
    path: normalised,
    template,
    key: idempotent === true,
    otp: clientsOtp,
    answer: { kind: 'any', unwrap: unwrap ?? true },
  };
  const own = clientsOtp ? { ...options, otp: undefined } : (options as CallOptions);
  const asked = { operation, options: own, schema, issues };
  return { request: asked, input: { query, body } };
}

/** A path for logs: every segment that is no lower-case word and no version may be an id. */
function maskIds(path: string): string {
  const segments = (path.split('?', 1)[0] ?? '').split('/');
  return segments.map((segment) => (/^([a-z][a-z-]*|v\d+|)$/.test(segment) ? segment : '{id}')).join('/');
}

/** Issues of the members that are of the wrong kind altogether. */
function wrongKinds({ query, idempotent, unwrap, schema }: Partial<RequestOptions>): Issue[] {
  const issues: Issue[] = [];
  if (query !== undefined && !isRecord(query)) {
    issues.push({ path: 'query', message: 'must be an object' });
  }
  for (const [path, value] of Object.entries({ idempotent, unwrap })) {
    if (value !== undefined && typeof value !== 'boolean') issues.push({ path, message: 'must be true or false' });
  }
  if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function') {
    issues.push({ path: 'schema', message: 'must be a Standard Schema, as zod, valibot and arktype make them' });
  }
  return issues;
}

/** Lets the caller's schema read the value; gives the value or its issues. A schema that throws is a `ProviderError`. */
export async function readStandard<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
  facts: CallFacts,
): Promise<{ readonly value: Output } | { readonly issues: readonly Issue[] }> {
  const result = await validate(schema, value, facts);
  if (result.issues === undefined) return { value: result.value };
  return { issues: result.issues.map(({ path = [], message }) => ({ path: path.map(keyOf).join('.'), message })) };
}

async function validate<Output>(schema: StandardSchema<Output>, value: unknown, facts: CallFacts) {
  try {
    return await schema['~standard'].validate(value);
  } catch (cause) {
    throw new ProviderError('the schema failed; see cause', facts, { cause });
  }
}

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof segment === 'object' ? segment.key : segment);
