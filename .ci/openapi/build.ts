/**
 * Writes the documents that are made from the code. `npm run openapi` writes them into the root of
 * the package.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiDocument } from './api.js';
import { controlDocument } from './control.js';
import { makeExamples } from './examples.js';
import { Sources } from './sources.js';

/** Makes all documents, by the names of their files. */
export async function makeDocuments(): Promise<ReadonlyMap<string, string>> {
  const sources = new Sources();
  const api = apiDocument(sources, await makeExamples());
  return new Map([
    ['openapi.json', JSON.stringify(api)],
    ['control.openapi.json', JSON.stringify(controlDocument(sources))],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of await makeDocuments()) {
    writeFileSync(join(import.meta.dirname, '../..', name), text);
    console.log(`${name}: ${text.length} bytes`);
  }
}
