import { isRecord, type Rule } from '../core/checks.js';
import { ConfigurationError } from '../core/errors.js';

/** A misspelled option must not leave its default in force unseen. */
export function refuseUnknown(options: object, known: readonly string[]): void {
  if (!isRecord(options)) throw new ConfigurationError(`the options must be an object; known are ${known.join(', ')}`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigurationError(`${unknown} is no option; known are ${known.join(', ')}`);
}

/** Refuses the first given option that breaks its rule; an undefined one counts as not given. */
export function refuseWrong(options: object, rules: Readonly<Record<string, Rule>>): void {
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name);
    const wrong = value === undefined ? undefined : rule(value);
    if (wrong !== undefined) throw new ConfigurationError(`${name} ${wrong}`);
  }
}
