import { brotliDecompressSync } from 'node:zlib';
import { readPackageFile } from './package-file.js';

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
