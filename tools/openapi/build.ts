/** Writes the documents that are made from the code into `dist`: `npm run openapi`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { makeExamples } from '../examples/examples.js';
import { makePayloads } from '../examples/payloads.js';
import { Sources } from '../schemas/sources.js';
import { apiDocument } from './api.js';
import { controlDocument } from './control.js';
import { postmanCollection } from './postman/collection.js';

/** Makes all documents, by the names of their files. */
export async function makeDocuments(): Promise<ReadonlyMap<string, string>> {
  const sources = new Sources();
  const examples = await makeExamples();
  const api = apiDocument(sources, examples, await makePayloads());
  return new Map([
    ['openapi.json', JSON.stringify(api)],
    ['control.openapi.json', JSON.stringify(controlDocument())],
    ['collection.json', JSON.stringify(postmanCollection(api, [...examples.keys()]))],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(import.meta.dirname, '../../dist');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await makeDocuments()) {
    // The sandbox alone reads the others, and gives them plain.
    const isServedAlone = name !== 'openapi.json';
    writeFileSync(join(folder, isServedAlone ? `${name}.br` : name), isServedAlone ? brotliCompressSync(text) : text);
    console.log(`${name}: ${text.length} bytes`);
  }
}
