import { isRecord } from '../core/checks.js';
import { ConfigurationError } from '../core/errors.js';

/** Refuses options that a transport does not know: ignoring a misspelled one would be worse. */
export function refuseUnknown(transport: string, options: unknown, known: string): void {
  if (!isRecord(options)) throw new ConfigurationError(`${transport}: the options must be an object`);
  const unknown = Object.keys(options).find((name) => name !== known);
  if (unknown !== undefined) throw new ConfigurationError(`${transport}: ${unknown} is no option; known is ${known}`);
}
