import { ConfigurationError } from '../core/errors.js';

/** Refuses options that a transport does not know: ignoring a misspelled one would be worse. */
export function refuseUnknown(transport: string, unknown: object): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new ConfigurationError(`${transport}: ${name} is no option`);
}
