// Runs after tsup.
//
// The bundler of declarations drops the `type` of `export type { Quotes }` for classes and enums: it would promise values
// that the code does not have, and a program that imports one would compile and then not start. This gives `type` back
// to every exported name that the code of the entry does not export.
//
// The declarations of ES modules are those of CommonJS, by one line: written out a second time they would be a seventh
// of the package, and a program that uses both forms would have two types of each name.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const EXPORT_LIST = /^export \{([^}]*)\}/gm;
const DIRECTORY = 'dist';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).filter((entry) => typeof entry === 'object');
const require = createRequire(resolve('package.json'));

const names = Object.keys(require(resolve(DIRECTORY, 'sandbox.cjs')));
writeFileSync(
  join(DIRECTORY, 'sandbox.js'),
  `import sandbox from './sandbox.cjs';\nexport const { ${names.join(', ')} } = sandbox;\n`,
);
for (const name of readdirSync(DIRECTORY)) if (name.endsWith('.d.ts')) rmSync(join(DIRECTORY, name));
for (const { import: esm, require: cjs } of entries) {
  const values = Object.keys(require(cjs.default)).sort();
  const esmValues = Object.keys(await import(pathToFileURL(resolve(esm.default)).href)).sort();
  assert.deepEqual(esmValues, values, `${esm.default} and ${cjs.default} export different names`);
  mark(cjs.types, values);
  writeFileSync(esm.types, `export * from './${basename(cjs.default)}';\n`);
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
