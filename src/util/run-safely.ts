import { isThenable, processWide } from './platform.js';
import { clipped, printable } from './printable.js';

/** The process warning about a function that failed. */
export interface FailureWarning {
  readonly code: string;
  /** The end of the sentence that begins with the name of the function. */
  readonly sentence: string;
  /** False if the message and the stack of the error stay out of the warning. */
  readonly showsError: boolean;
}

const CALLS: FailureWarning = {
  code: 'PARTNER_SDK_HOOK',
  sentence: 'given to partner-sdk failed; calls are not affected (reported once)',
  showsError: true,
};

/**
 * Runs a function of the application. If it throws or rejects, a process warning says so once, and
 * nothing else happens.
 *
 * @param what Names the function in the warning, for example `the hook onRetry`.
 * @param owner The object of the function. A failure is reported once for each owner, and without
 *   an owner once in the process.
 * @param kind What is reported once. Default: `what`.
 */
export function runSafely(
  run: () => unknown,
  what: string,
  owner?: object,
  kind: string = what,
  warning: FailureWarning = CALLS,
): void {
  try {
    const result = run();
    if (isThenable(result)) result.then(undefined, (error: unknown) => warnOnce(error, what, owner, kind, warning));
  } catch (error) {
    warnOnce(error, what, owner, kind, warning);
  }
}

/** Emits a process warning, if the runtime has them. */
export function emitWarning(message: string, code: string, details?: { readonly detail: string }): void {
  if (typeof process !== 'undefined' && typeof process.emitWarning === 'function')
    process.emitWarning(message, { code, ...details });
}

/** The failures that were reported, for every copy of the package in the process. */
const reported = processWide('warned-of', () => ({
  process: new Set<string>(),
  owners: new WeakMap<object, Set<string>>(),
}));

function warnOnce(
  error: unknown,
  what: string,
  owner: object | undefined,
  kind: string,
  { code, sentence, showsError }: FailureWarning,
): void {
  const known = owner === undefined ? reported.process : (reported.owners.get(owner) ?? new Set());
  if (known.has(kind)) return;
  known.add(kind);
  if (owner !== undefined) reported.owners.set(owner, known);
  const message = `${what} ${sentence}`;
  if (showsError) emitWarning(`${message}: ${describe(error)}`, code, { detail: framesOf(error).join('\n') });
  else emitWarning(message, code);
}

/** Characters of an error's message that a warning shows. */
const MAX_SHOWN_ERROR = 300;

/** Returns name and message of an error. The application may throw anything. */
function describe(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return printable(clipped(text, MAX_SHOWN_ERROR));
  } catch {
    return 'it threw a value that cannot be shown';
  }
}

/** Returns the lines of a stack that name a place in the code, at most 10. */
export function framesOf(error: unknown): string[] {
  try {
    const stack: unknown = typeof error === 'object' && error !== null && 'stack' in error ? error.stack : '';
    return String(stack)
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 10)
      .map(printable);
  } catch {
    return [];
  }
}
