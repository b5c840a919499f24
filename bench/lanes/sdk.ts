import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientOptions, PartnerClient } from 'partner-sdk';
import type { Call } from './load.js';

export type Sdk = typeof import('partner-sdk');

/** Where an installed package is measured in place of the sources; in the environment, so that child processes measure the same. */
const PACKAGE_VARIABLE = 'BENCH_PACKAGE';

/** From now on, here and in child processes, `partner-sdk` is the one in `directory/node_modules`. */
export function measureInstalled(directory: string): void {
  process.env[PACKAGE_VARIABLE] = directory;
}

/** What is measured, for the head of the results. */
export function measured(): string {
  const directory = process.env[PACKAGE_VARIABLE];
  return directory === undefined
    ? `the sources at ${commit()}`
    : `partner-sdk ${manifest(directory).version}, installed`;
}

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'no commit';
  }
}

export function loadSdk(): Promise<Sdk> {
  return load('.', () => import('partner-sdk'));
}

export function loadRedis(): Promise<typeof import('partner-sdk/redis')> {
  return load('./redis', () => import('partner-sdk/redis'));
}

/** The package's own entry for `import`: the mapping of `partner-sdk` in tsconfig.json must not send it back to the sources. */
async function load<Module>(subpath: string, fromSources: () => Promise<Module>): Promise<Module> {
  const directory = process.env[PACKAGE_VARIABLE];
  if (directory === undefined) return fromSources();
  const entry = manifest(directory).exports[subpath]?.import?.default;
  if (entry === undefined) throw new Error(`${directory}: the installed partner-sdk has no entry ${subpath}`);
  return import(pathToFileURL(join(root(directory), entry)).href) as Promise<Module>;
}

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, { readonly import?: { readonly default?: string } } | undefined>>;
}

function manifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(root(directory), 'package.json'), 'utf8')) as Manifest;
}

const root = (directory: string) => join(directory, 'node_modules', 'partner-sdk');

/** Any secret will do: the bench's service checks nonces and no signatures. */
export const API_SECRET = Buffer.from('the secret of the bench').toString('base64');

/** A client with a lane of its own: nobody else has its API key. */
export async function freshClient(
  baseUrl: string,
  apiKey: string,
  options: ClientOptions = {},
): Promise<PartnerClient> {
  const { PartnerClient } = await loadSdk();
  return new PartnerClient({ baseUrl, apiKey, apiSecret: API_SECRET, ...options });
}

/** What the writes send. */
export const ADDRESS = {
  asset_symbol: 'BTC',
  method_id: '5f3ad6a2-0d0c-4c55-9c8e-0b8a3f6a7c11',
  key: 'cold',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
};

/** Reads and keyed writes in turn. */
export function callOf(client: PartnerClient, options?: { readonly signal: AbortSignal }): Call {
  return (index) =>
    index % 2 === 0
      ? client.users.get('USER-0000-0001', options)
      : client.funds.withdrawalAddresses.save('ACCOUNT-0000-0001', ADDRESS, options);
}
