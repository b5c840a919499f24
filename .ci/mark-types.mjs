// Runs after tsup. The bundler of declarations drops the `type` of `export type { Quotes }` for classes and enums: it
// would promise values that the code does not have, and a program that imports one would compile and then not start.
// This gives `type` back to every exported name that the code of the entry does not export.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const EXPORT_LIST = /^export \{([^}]*)\}/gm;

const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8'));
const require = createRequire(resolve('package.json'));

for (const { import: esm, require: cjs } of Object.values(entries).filter((entry) => typeof entry === 'object')) {
  mark(esm.types, Object.keys(await import(pathToFileURL(resolve(esm.default)).href)));
  mark(cjs.types, Object.keys(require(cjs.default)));
}

/** Rewrites the export lists of one file of declarations. */
function mark(file, values) {
  const text = readFileSync(file, 'utf8');
  assert.match(text, EXPORT_LIST, `${file} has no list of exports`);
  const marked = text.replace(EXPORT_LIST, (_, list) => {
    const items = list.trim().split(/\s*,\s*/);
    const marked = items.map((item) => markItem(item, values)).join(', ');
    return `export {\n${marked.replace(/(.{1,97})(?:, |$)/g, '  $1,\n')}}`;
  });
  writeFileSync(file, marked);
}

/** `item` is a part of an export list: `Name`, `local as Name`, or either with `type` before it. */
function markItem(item, values) {
  const isMarked = item.startsWith('type ');
  const name = item.split(/\s+/).at(-1);
  return isMarked || values.includes(name) ? item : `type ${item}`;
}
