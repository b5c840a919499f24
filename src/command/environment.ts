import { isInsecure } from '../util/loopback.js';
import { UsageError } from './flags.js';

export type Setup = ReturnType<typeof setupFrom>;

/** Returns a variable as it was set, with all white space. @throws UsageError if it is not set. */
export function variable(environment: NodeJS.ProcessEnv, name: string): string {
  if (environment[name]) return environment[name];
  throw new UsageError(unset([name]));
}

function unset(names: readonly string[]): string {
  const list = names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
  const advice = names.includes('PARTNER_BASE_URL') ? ' The base URL can also be given as --base-url.' : '';
  return `${list} ${names.length > 1 ? 'are' : 'is'} not set. The command reads API key and secret only from the environment, so that no list of processes shows them.${advice}`;
}

/** @param baseUrl The value of `--base-url`, which wins over the variable. */
export function setupFrom(environment: NodeJS.ProcessEnv, given: string | undefined) {
  const needed = [...(given === undefined ? ['PARTNER_BASE_URL'] : []), 'PARTNER_API_KEY', 'PARTNER_API_SECRET'];
  const missing = needed.filter((name) => !environment[name]);
  if (missing.length > 0) throw new UsageError(unset(missing));
  const baseUrl = given ?? variable(environment, 'PARTNER_BASE_URL');
  // A client may be told to allow it. A command may not.
  if (URL.canParse(baseUrl) && isInsecure(new URL(baseUrl)))
    throw new UsageError('the base URL must be https: plain http is for loopback only');
  const apiKey = variable(environment, 'PARTNER_API_KEY');
  return { baseUrl, apiKey, apiSecret: variable(environment, 'PARTNER_API_SECRET') };
}
