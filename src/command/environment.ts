import { isInsecure } from '../util/loopback.js';
import { UsageError } from './flags.js';

export type Setup = ReturnType<typeof setupFrom>;

/** Returns a variable as it was set, with all white space. @throws UsageError if it is not set. */
export function variable(environment: NodeJS.ProcessEnv, name: string): string {
  return variables(environment, [name])[0] ?? '';
}

/** One error names all variables that are not set. */
function variables(environment: NodeJS.ProcessEnv, names: readonly string[]): readonly string[] {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === 0) return names.map((name) => environment[name] ?? '');
  const list = missing.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  const advice = missing.includes(BASE_URL) ? ' The base URL can also be given as --base-url.' : '';
  throw new UsageError(
    `${list} ${missing.length > 1 ? 'are' : 'is'} not set. The command reads API keys and secrets only from the environment, so that ` +
      `no list of processes shows them.${advice}`,
  );
}

const BASE_URL = 'PARTNER_BASE_URL';

/** @param given The value of `--base-url`, which wins over the variable. */
export function setupFrom(environment: NodeJS.ProcessEnv, given: string | undefined) {
  const names = [BASE_URL, 'PARTNER_API_KEY', 'PARTNER_API_SECRET'];
  const all = given === undefined ? environment : { ...environment, [BASE_URL]: given };
  const [baseUrl = '', apiKey = '', apiSecret = ''] = variables(all, names);
  // A client may be told to allow it. A command may not.
  if (URL.canParse(baseUrl) && isInsecure(new URL(baseUrl)))
    throw new UsageError('the base URL must be https: plain http is for loopback only');
  return { baseUrl, apiKey, apiSecret };
}
