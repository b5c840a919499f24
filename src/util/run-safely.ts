import { isThenable, processWide } from './platform.js';
import { clipped, printable } from './printable.js';

/**
 * Runs what an application gave us: neither a throw nor a rejection reaches the call.
 *
 * @param what Names it in the warning that reports its failure, for instance `the hook onRetry`.
 * @param owner The object that it belongs to: a failure is reported once for each owner, without one once in the
 * process.
 * @param kind What is reported once. Default: `what`.
 */
export function runSafely(run: () => unknown, what = 'a function', owner?: object, kind = what): void {
  try {
    const result = run();
    if (isThenable(result)) result.then(undefined, (error: unknown) => warnOnce(error, what, owner, kind));
  } catch (error) {
    warnOnce(error, what, owner, kind);
  }
}

/** The failures that have been reported, for every copy of the package in the process. */
const warned = processWide('warned-of', () => ({
  process: new Set<string>(),
  owners: new WeakMap<object, Set<string>>(),
}));

function warnOnce(error: unknown, what: string, owner: object | undefined, kind: string): void {
  const known = owner === undefined ? warned.process : (warned.owners.get(owner) ?? new Set());
  if (known.has(kind) || typeof process === 'undefined' || typeof process.emitWarning !== 'function') return;
  known.add(kind);
  if (owner !== undefined) warned.owners.set(owner, known);
  const message = `${what} given to partner-sdk failed; calls are not affected (reported once): ${describe(error)}`;
  process.emitWarning(message, { code: 'PARTNER_SDK_HOOK', detail: framesOf(error) });
}

/** The longest text of an error that a warning shows, in characters. */
const MAX_SHOWN_ERROR = 300;

/** Name and message of an error, or the text of what was thrown in its place; it may be anything. */
function describe(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return printable(clipped(text, MAX_SHOWN_ERROR));
  } catch {
    return 'it threw what cannot be shown';
  }
}

/** The lines of an error's stack that name a place in the code. */
export function framesOf(error: unknown): string {
  try {
    const lines = error instanceof Error ? String(error.stack).split('\n') : [];
    return lines
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 10)
      .map(printable)
      .join('\n');
  } catch {
    return '';
  }
}
