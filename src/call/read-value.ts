import type { Issue, PartnerError } from '../errors.js';
import type { AttemptResult } from '../response/attempt-result.js';
import { type ParsedBody, readAnswer } from '../response/read-answer.js';
import { abortedError, loggedIssues, timeoutError, unusableAnswer } from '../response/to-error.js';
import { differences, echoesOf } from '../schema/correlation.js';
import { readStandard, type StandardSchema } from '../schema/standard-schema.js';
import { inexactNumbers } from '../util/json-text.js';
import type { Call } from './call.js';
import { CallEnded, type CancelReason } from './deadline.js';

/** Reads the value of a success. Throws the error of a response that cannot be used. */
export function readValue<T>(call: Call<T>, result: AttemptResult, body: ParsedBody): T {
  const { observer, settings, warnings } = call.client;
  const { operation } = call.request;
  if (body.kind === 'not_json' || body.kind === 'foreign') {
    // The attempt's failure is noted already.
    const read = { facts: call.facts, secrets: call.secrets() };
    throw distrusting(result, unusableAnswer([body.issue], result, read, body.kind === 'not_json'));
  }
  // Before the reading, which may rearrange the body.
  const mode = settings.responseValidation;
  const echoes = echoesOf(operation.correlation, body.kind === 'json' ? body.value : undefined, mode === 'tolerant');
  const reading = readAnswer(operation, body, mode);
  if (mode === 'warn' && reading.issues.length > 0) log(call, reading.issues);
  if (!reading.usable) throw unusable(call, result, reading.issues);
  // In every `responseValidation` mode.
  const foreign = differences(operation.correlation, call.prepared.expected, echoes);
  // The response belongs to another call, so nobody knows what has become of this one.
  if (foreign.issues.length > 0)
    throw unusable(call, result, foreign.issues, call.prepared.write ? 'unknown' : 'not_applied');
  if (reading.dropsToken) {
    const message = 'partner-sdk: this response has a next page, which request() does not show: use client.list()';
    observer.log('warn', message, { operation: operation.name });
  }
  if (foreign.unpromised.length > 0) warnings.different(observer, operation.name, foreign.unpromised);
  if (reading.notes !== undefined) warnings.accepted(observer, operation.name, reading.notes);
  if (observer.hasLogger && body.kind === 'json')
    warnings.inexact(observer, operation.name, inexactNumbers(body.text).keys());
  const refused = call.request.validate?.(reading.value);
  if (refused !== undefined && refused.length > 0) throw unusable(call, result, refused);
  return reading.value;
}

/** Lets a user-supplied schema read the value, within the deadline of the call. */
export async function checkValue<T>(
  call: Call,
  schema: StandardSchema<T>,
  value: T,
  result: AttemptResult,
): Promise<T> {
  const checked = await call.deadline.wait(readStandard(schema, value, call.facts)).catch((error: unknown) => {
    throw error instanceof CallEnded ? endedError(call, error.reason) : error;
  });
  if ('value' in checked) return checked.value;
  // The schema does not tell a missing member from an invalid one, so both are rejected.
  if (call.client.settings.responseValidation !== 'warn') throw unusable(call, result, checked.issues);
  log(call, checked.issues);
  return value;
}

/** The error of a call that ended while something was waited for. */
export function endedError({ prepared, facts, neverConnected, client }: Call, reason: CancelReason): PartnerError {
  if (reason.kind === 'aborted') return abortedError(reason.error, facts);
  return timeoutError({ call: prepared, facts, neverConnected }, client.settings);
}

/** Closes the connection of a wrong response, whose next ones may belong to other calls, too. */
export function distrust({ exchange }: AttemptResult): void {
  exchange?.distrust?.();
}

function distrusting(result: AttemptResult, error: PartnerError): PartnerError {
  distrust(result);
  return error;
}

function unusable(call: Call, result: AttemptResult, issues: readonly Issue[], outcome = call.outcome): PartnerError {
  const { count, failures } = call.facts.attempts;
  const attempts = { count, failures: [...failures, { reason: 'unreadable' as const, status: result.status }] };
  const facts = { ...call.facts, outcome, attempts };
  return distrusting(result, unusableAnswer(issues, result, { facts, secrets: call.secrets() }));
}

function log(call: Call, issues: readonly Issue[]): void {
  const operation = call.request.operation.name;
  const shown = loggedIssues(call.secrets(), issues);
  call.client.observer.log('warn', 'partner-sdk: a response does not have the promised shape', {
    operation,
    issues: shown,
  });
}
