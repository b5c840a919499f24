/** Builds the site of the documents: `npm run docs`. It fails on a link that leads nowhere. */
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'vitepress';
import { writeDocuments } from './documents.js';
import { checkSite } from './links.js';
import { writeForModels } from './llms.js';
import { writeOperations } from './operations/write.js';
import { PAGES, SIDEBARS, SITE } from './paths.js';
import { referencePages, writeReference } from './reference.js';
import { sidebarsOf } from './sidebars.js';

async function timed<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const value = await run();
  console.log(`${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return value;
}

for (const folder of [PAGES, SITE]) rmSync(folder, { recursive: true, force: true });
await timed('the reference', writeReference);
const reference = referencePages();
const operations = await timed('the operations', () => writeOperations(reference));
const documents = writeDocuments(operations.map(({ name }) => name));
writeFileSync(SIDEBARS, JSON.stringify(sidebarsOf(documents, operations, reference)));
await timed('the site', () => build(import.meta.dirname));
writeForModels(documents, operations);
const { pages, links } = await timed('its links', checkSite);
console.log(`${SITE}: ${pages} pages; their ${links} links lead to pages and headings that are there`);
