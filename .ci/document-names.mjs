import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Documents that neither the package nor its sources hold: a comment or a hover that names one tells its reader
 * nothing.
 */
const NAMES_OF_DOCUMENTS = /spec\.md|design\.md|conformity\.md|\b(reference|design|spec) ?§|§ ?\d|global convention/i;

/** An internet standard can be looked up by anybody, down to its section. */
const STANDARD = /\bRFC \d+ §[\d.]+/g;

/** `packed`: the files of the package, where hovers and documents come from. */
export function checkDocumentNames(packed) {
  const sources = ['src', 'tools', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => join(folder, path)),
  );
  const files = [...sources, ...packed].filter((path) => /\.(ts|cts|mjs|cjs|md)$/.test(path));
  const found = files.flatMap((file) => linesOf(file).filter(({ text }) => namesADocument(text)));
  assert.deepEqual(
    found.map(({ file, line, text }) => `${file}:${line} ${text.trim()}`),
    [],
    'a document is named that readers do not have',
  );
  console.log(`${files.length} sources, declarations and documents name no document that their reader does not have`);
}

function namesADocument(text) {
  return NAMES_OF_DOCUMENTS.test(text.replaceAll(STANDARD, ''));
}

function linesOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((text, index) => ({ file, line: index + 1, text }));
}
