import type { CallOptions } from './call.js';
import type { Issue } from './errors.js';
import { badHeaders, MAX_TIMER } from './headers.js';
import type { Operation } from './operation.js';

const UUID_V4 = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

const isMilliseconds = (value: unknown) => typeof value === 'number' && value > 0 && value <= MAX_TIMER;

/** What is wrong with each per-call option; one that is unknown is refused, not ignored. */
const RULES: { readonly [Name in keyof Required<CallOptions>]: (value: unknown) => string | undefined } = {
  signal: (value) => ok(typeof value === 'object' && value !== null && 'aborted' in value, 'must be an AbortSignal'),
  timeout: (value) => ok(isMilliseconds(value), `must be milliseconds above 0, at most ${MAX_TIMER}`),
  attemptTimeout: (value) => ok(isMilliseconds(value), `must be milliseconds above 0, at most ${MAX_TIMER}`),
  maxRetries: (value) => ok(Number.isInteger(value) && (value as number) >= 0, 'must be an integer of 0 or more'),
  idempotencyKey: (value) => ok(typeof value === 'string' && UUID_V4.test(value), 'must be a UUIDv4'),
  otp: (value) =>
    ok(
      isOtp(value) || typeof value === 'function',
      'must be non-empty printable text without space around it, or a function',
    ),
  headers: badHeaders,
};

/** The options of lists, besides those of every call. */
const LIST_OPTIONS = { prefetch: (value: unknown) => ok(typeof value === 'boolean', 'must be true or false') };

function ok(valid: boolean, message: string): string | undefined {
  return valid ? undefined : message;
}

/** True for what can stand in the `API-Otp` header; its format is not shown in `spec.md`. */
export function isOtp(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

/** The issues of the per-call options, with paths like `options.timeout`. */
export function checkCallOptions(options: unknown, operation: Pick<Operation, 'key' | 'paged'>): Issue[] {
  const rules: Record<string, (value: unknown) => string | undefined> = operation.paged
    ? { ...RULES, ...LIST_OPTIONS }
    : RULES;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return [{ path: 'options', message: 'must be an object' }];
  }
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const message =
      rule === undefined ? `is no option of this call; known are ${Object.keys(rules).join(', ')}` : rule(value);
    if (message !== undefined) issues.push({ path: `options.${name}`, message });
  }
  if ('idempotencyKey' in options && options.idempotencyKey !== undefined && !operation.key) {
    issues.push({ path: 'options.idempotencyKey', message: 'this operation takes no Idempotency-Key' });
  }
  return issues;
}
