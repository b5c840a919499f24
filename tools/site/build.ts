/** Builds the site of the documents: `npm run docs`. It fails on a link that leads nowhere. */
import { rmSync, writeFileSync } from 'node:fs';
import { build } from 'vitepress';
import { write, writeDocuments } from './documents.js';
import { checkSite } from './links.js';
import { writeForModels } from './llms.js';
import { writeOperations } from './operations/write.js';
import { ICON, PAGES, SIDEBARS, SITE } from './paths.js';
import { referencePages, writeReference } from './reference.js';
import { sidebarsOf } from './sidebars.js';

/** Two arrows: money that goes, and money that comes. */
const ICON_PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#3451b2"/>
<path d="M7 12h15l-4-4M25 20H10l4 4" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`;

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
write(`public/${ICON}`, ICON_PICTURE);
writeFileSync(SIDEBARS, JSON.stringify(sidebarsOf(documents, operations, reference)));
await timed('the site', () => build(import.meta.dirname));
writeForModels(documents, operations);
const { pages, links } = await timed('its links', checkSite);
console.log(`${SITE}: ${pages} pages; their ${links} links lead to pages and headings that are there`);
