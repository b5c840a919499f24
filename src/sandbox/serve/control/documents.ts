import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

type Read = () => string;

const plain = (name: string): Read => {
  return () => readPackageFile(name).toString('utf8');
};

/** Stored compressed, an eighth of its size or less: only HTTP serves it. */
const compressed = (name: string): Read => {
  return () => brotliDecompressSync(readPackageFile(`${name}.br`)).toString('utf8');
};

const READS: Readonly<Record<string, Read>> = {
  'openapi.json': plain('openapi.json'),
  'control.openapi.json': compressed('control.openapi.json'),
  'collection.json': compressed('collection.json'),
};

/** Files that describe the package to programs. The build makes them. */
export const DOCUMENTS: readonly string[] = Object.keys(READS);

const texts = new Map<string, string>();

/** @throws Error if the build has not made the document. */
export function readDocument(name: string): string {
  const text = texts.get(name) ?? READS[name]?.() ?? '';
  texts.set(name, text);
  return text;
}

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
