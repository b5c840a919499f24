import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PICTURES, sourceOf } from '../../tools/pictures/pictures.js';
import { DOCUMENTS, readDocument } from './support/blocks.js';

const MAX_BYTES = 12_000;
const files = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.svg'))
  .map((name) => `docs/${name}`);

/** `![alt](target)` of the documents. */
const shown = DOCUMENTS.flatMap((document) =>
  Array.from(readDocument(document).matchAll(/!\[([^\]]*)\]\(([^)\s]+\.svg)\)/g), ([, alt = '', target = '']) => {
    return { alt, file: posix.join(document, '..', target) };
  }),
);

describe('a drawn picture', () => {
  it.each(PICTURES)('$file is as `npm run docs:pictures` draws it', (picture) => {
    expect(readFileSync(picture.file, 'utf8')).toContain(`data-source="${sourceOf(picture)}"`);
  });

  it.each(files)('%s has a text, and is shown by a document that says in words what it shows', (file) => {
    expect(PICTURES.map((picture) => picture.file)).toContain(file);
    const alts = shown.filter((one) => one.file === file).map(({ alt }) => alt);
    expect(alts.length).toBeGreaterThan(0);
    for (const alt of alts) expect(alt.length).toBeGreaterThan(40);
  });

  it.each(files)('%s is small, has a title and a description, and runs and loads nothing', (file) => {
    const svg = readFileSync(file, 'utf8');
    expect(svg.length).toBeLessThan(MAX_BYTES);
    expect(svg).toMatch(/<title [^>]*>[^<]{10,}<\/title>\n<desc [^>]*>[^<]{40,}<\/desc>/);
    expect(svg).not.toMatch(/<(script|foreignObject|image|use)\b|\son\w+=|href=|url\((?!#m\d)|@import/i);
  });
});
