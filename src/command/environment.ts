import { UsageError } from './usage-error.js';

/** Address and credentials of the service. */
export type Setup = ReturnType<typeof setupFrom>;

/** Returns a variable as it was set, with all white space. @throws UsageError if it is not set. */
export function variable(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new UsageError(`${name} is not set: keys and secrets come from the environment alone`);
}

/** @param baseUrl The value of `--base-url`, which wins over the variable. */
export function setupFrom(environment: NodeJS.ProcessEnv, baseUrl: string | undefined) {
  return {
    baseUrl: baseUrl ?? variable(environment, 'PARTNER_BASE_URL'),
    apiKey: variable(environment, 'PARTNER_API_KEY'),
    apiSecret: variable(environment, 'PARTNER_API_SECRET'),
  };
}
