import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Reads a file that the build has made.
 *
 * @throws Error if it is absent.
 */
export function readPackageFile(name: string): Buffer {
  // Resolved by the name of the package, because this code may be bundled into other files.
  const root = dirname(createRequire(import.meta.url).resolve('partner-sdk/package.json'));
  try {
    return readFileSync(join(root, 'dist', name));
  } catch (cause) {
    throw new Error(`${name} is missing: in a clone of the sources, npm run build makes it`, { cause });
  }
}
