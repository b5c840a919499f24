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
import { postmanCollection } from './postman/collection.js';
import { Sources } from './sources.js';

/** Makes all documents, by the names of their files. */
export async function makeDocuments(): Promise<ReadonlyMap<string, string>> {
  const sources = new Sources();
  const examples = await makeExamples();
  const api = apiDocument(sources, examples);
  return new Map([
    ['openapi.json', JSON.stringify(api)],
    ['control.openapi.json', JSON.stringify(controlDocument(sources))],
    ['collection.json', JSON.stringify(postmanCollection(api, [...examples.keys()]))],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of await makeDocuments()) {
    writeFileSync(join(import.meta.dirname, '../..', name), text);
    console.log(`${name}: ${text.length} bytes`);
  }
}
