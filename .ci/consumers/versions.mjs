import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version that the package itself is tested with. */
export function asWeUseIt(name) {
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  return `${name}@${devDependencies[name]}`;
}
