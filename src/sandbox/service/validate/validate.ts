import type * as z from 'zod/mini';
import type { Operation } from '../../../schema/operation.js';
import { OR_A_DECIMAL } from '../../../schema/schema.js';
import { readBySchema } from '../../core/basics/read-by-schema.js';
import type { CheckedInput } from '../../core/kind/handler.js';
import type { RequestHead } from '../../core/request/messages.js';
import { boundedCauses, type Cause, Refusal } from '../../core/request/refusal.js';
import type { RouteMatch } from '../../core/request/route.js';
import { readQuery } from './query.js';
import { suspiciousMembers, unknownMembers } from './unknown-members.js';

interface CheckedPart {
  readonly value: unknown;
  readonly causes: readonly Cause[];
  readonly warnings?: readonly Cause[];
}

/** The input of a request, and probable mistakes in it that break no rule. */
interface CheckedRequest {
  readonly input: CheckedInput;
  readonly warnings: readonly Cause[];
}

/** Checks path, query and body. Throws a 400 with all broken rules. */
export function checkInput(
  operation: Operation,
  match: RouteMatch,
  head: RequestHead,
  bytes: Uint8Array,
): CheckedRequest {
  const params = checkParams(operation, match);
  const query = checkQuery(operation, match);
  const body = checkBody(operation, head, bytes);
  const causes = [...params.causes, ...query.causes, ...body.causes];
  const warnings = boundedCauses([...(query.warnings ?? []), ...(body.warnings ?? [])]);
  if (causes.length > 0) throw new Refusal(400, 'bad_request', causes, 'bad_request', { warnings });
  return { input: { params: params.value, query: query.value, body: body.value, origin: head.origin }, warnings };
}

function checkParams(operation: Operation, match: RouteMatch): CheckedPart {
  const params: Record<string, string> = {};
  for (const [name, encoded] of Object.entries(match.encodedParams)) {
    try {
      params[name] = decodeURIComponent(encoded);
    } catch {
      return refused(name, 'is not valid percent-encoded UTF-8');
    }
  }
  return operation.params === undefined ? { value: params, causes: [] } : checkedBy(operation.params(), params);
}

function checkQuery(operation: Operation, match: RouteMatch): CheckedPart {
  const schema = operation.query?.();
  const { values, causes } = readQuery(match.query, schema);
  if (schema === undefined) return { value: values, causes };
  const checked = checkedBy(schema, values);
  const named = checked.causes.map(({ field, message }) => ({ field: parameterOf(field), message }));
  return { value: checked.value, causes: [...causes, ...named], warnings: suspiciousMembers(schema, values) };
}

/** The elements of a list share one name. An object in a list has a parameter for each member. */
function parameterOf(path: string): string {
  const [name = path, index, member] = path.split('.');
  return member === undefined ? name : `${name}[${index}][${member}]`;
}

function checkBody(operation: Operation, head: RequestHead, bytes: Uint8Array): CheckedPart {
  if (operation.body === undefined) {
    return bytes.length === 0 ? { value: undefined, causes: [] } : refused('body', 'this operation takes no body');
  }
  if (!isJsonType(head.header('content-type'))) return refused('Content-Type', 'must be application/json');
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refused('body', 'is not JSON in UTF-8');
  }
  const schema = operation.body();
  const checked = checkedBy(schema, body);
  return {
    value: checked.value,
    causes: [...checked.causes, ...unknownMembers(schema, body)],
    warnings: suspiciousMembers(schema, body),
  };
}

function isJsonType(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

function checkedBy(schema: z.core.$ZodType, value: unknown): CheckedPart {
  const { value: read, issues } = readBySchema(schema, value);
  if (issues === undefined) return { value: read, causes: [] };
  // Clients see text, not `Decimal`.
  const causes = issues.map(({ path, message }) => ({
    field: path || 'body',
    message: message.replace(OR_A_DECIMAL, ''),
  }));
  return { value: undefined, causes };
}

function refused(field: string, message: string): CheckedPart {
  return { value: undefined, causes: [{ field, message }] };
}
