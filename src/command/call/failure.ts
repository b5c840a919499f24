import { ApiError, ConfigurationError, isPartnerError, type Outcome, RequestValidationError } from 'partner-sdk';
import { systemCode } from '../../util/system-error.js';
import type { CommandOperation } from '../description/operations.js';
import { UsageError } from '../flags.js';

/** What is known of a call when it fails. */
export interface Progress {
  operation?: CommandOperation;
  idempotencyKey?: string | undefined;
  /** Outcome to report if the error has none. */
  outcome: Outcome;
  /** The token of the first page that was not printed completely. */
  pageToken?: string | undefined;
}

const EXIT_CODES = { not_applied: 1, unknown: 3, applied: 4 } as const;

/** Returns the exit code, and the facts for one line: plain data without a secret. */
export function failureOf(error: unknown, progress: Progress) {
  const facts: Partial<Record<string, unknown>> = isPartnerError(error)
    ? { ...error.toJSON(), ...asWritten(error, progress) }
    : { name: Object(error).name, message: Object(error).message ?? String(error) };
  const outcome = isPartnerError(error) ? error.outcome : progress.outcome;
  const isWrong = [UsageError, RequestValidationError, ConfigurationError].some((one) => error instanceof one);
  const exitCode = isWrong && outcome === 'not_applied' ? 2 : EXIT_CODES[outcome];
  const code = facts['code'] || systemCode(error) || facts['name'];
  const advice = adviceOn(error, exitCode, progress).join('; ');
  return { exitCode, line: { outcome, ...facts, code, advice, pageToken: progress.pageToken } };
}

/** Messages of the client name its options. The caller of a shell has flags and signals. */
function asWritten(error: Error, { operation }: Progress): object {
  if (error.name === 'AbortedError') return { message: `${operation?.name} was interrupted` };
  if (!(error instanceof RequestValidationError) || operation === undefined) return {};
  const written = new Map([
    ['options.idempotencyKey', '--idempotency-key'],
    ['options.otp', 'PARTNER_OTP'],
    ...operation.args.map(({ name }) => [name, name.toUpperCase()] as const),
  ]);
  const flags = (path: string) => {
    const name = path.replaceAll(/\.\d+/g, '');
    const found = [...operation.members.keys()].filter((one) => one === name || one.startsWith(`${name}.`));
    return found.map((one) => `--${one}`).join(', ') || path;
  };
  const issues = error.issues.map(({ path, message }) => ({
    path: written.get(path) ?? flags(path),
    message: path === 'options.idempotencyKey' ? 'must be a UUIDv4; without the flag, a new one is drawn' : message,
  }));
  const list = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return { message: `nothing was sent, because the input of ${operation.name} is wrong: ${list}`, issues };
}

function adviceOn(error: unknown, exitCode: number, progress: Progress): string[] {
  const { operation, pageToken } = progress;
  const advice = [adviceOnRepeat(error, exitCode, progress)];
  const { response, retryAfter } = error instanceof ApiError ? error : {};
  const status = response?.status;
  if (status === 401 && operation?.needsOtp) advice.push('check the one-time password first');
  if (status === 401) advice.push('npx partner-sdk doctor checks API key, secret, nonce and clock');
  if (retryAfter) advice.push(`wait ${Math.ceil(retryAfter / 1000)} s before the next call`);
  if (pageToken !== undefined) advice.push(`continue with --${operation?.['x-pagination']?.request} ${pageToken}`);
  return advice;
}

/** True if the same call would be rejected again. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.response.status < 500 && error.response.status !== 429;

function adviceOnRepeat(error: unknown, exitCode: number, { operation, idempotencyKey }: Progress): string {
  if (exitCode === 1) return `this call changed nothing: ${isRefusal(error) ? 'correct it' : 'retry it'}`;
  const help = operation === undefined ? 'operations' : `call ${operation.name} --help`;
  if (exitCode === 2) return `see npx partner-sdk ${help} and npx partner-sdk call --help`;
  const key = `--idempotency-key ${idempotencyKey}`;
  if (exitCode === 4 && idempotencyKey === undefined) return 'it was applied: do not retry it, read the state';
  if (exitCode === 4) return `it was applied: read the state, or retry the call with ${key} to get its response`;
  if (idempotencyKey !== undefined) return `retry the call with ${key}: it has no second effect`;
  if (operation?.['x-idempotency'] === 'safe') return 'retry the call: it has no second effect';
  return 'check whether it was applied before you retry it';
}
