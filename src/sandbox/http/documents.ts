import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Files that describe the package to programs. They are made when it is built. */
export const DOCUMENTS: readonly string[] = ['openapi.json', 'control.openapi.json', 'collection.json'];

const texts = new Map<string, string>();

/** @throws Error if the document was not made. */
export function readDocument(name: string): string {
  const text = texts.get(name) ?? readFile(name);
  texts.set(name, text);
  return text;
}

function readFile(name: string): string {
  try {
    // By the name of the package: its code may be bundled into other files.
    return readFileSync(createRequire(import.meta.url).resolve(`partner-sdk/${name}`), 'utf8');
  } catch (cause) {
    throw new Error(`${name} is missing: in a clone of the sources, npm run openapi makes it`, { cause });
  }
}
