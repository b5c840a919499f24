import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { revision } from '../project.js';

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
    ? `the sources at ${revision()}`
    : `partner-sdk ${manifest(directory).version}, installed`;
}

/** The package's own entry for `import`: the mapping of `partner-sdk` in tsconfig.json must not send it back to the sources. */
export async function loadSdk(): Promise<typeof import('partner-sdk')> {
  const directory = process.env[PACKAGE_VARIABLE];
  if (directory === undefined) return import('partner-sdk');
  return import(pathToFileURL(join(root(directory), manifest(directory).exports['.'].import.default)).href);
}

interface Manifest {
  readonly version: string;
  readonly exports: { readonly '.': { readonly import: { readonly default: string } } };
}

function manifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(root(directory), 'package.json'), 'utf8')) as Manifest;
}

const root = (directory: string) => join(directory, 'node_modules', 'partner-sdk');

/** The secret of every API key: the service of the bench checks signatures by it. */
export const API_SECRET = Buffer.from('the secret of the bench').toString('base64');
