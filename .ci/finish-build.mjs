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
import { makeLoadable } from './loadable.mjs';

const EXPORT_LIST = /^export \{([^}]*)\}/gm;
const DIRECTORY = 'dist';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).filter((entry) => typeof entry === 'object');
const require = createRequire(resolve('package.json'));

makeLoadable(DIRECTORY);

// One copy of the code serves both forms of modules: a program that uses both has one of each class, and CommonJS can
// load a part at its first use. Node searches the text of a CommonJS file that is imported for the names of its exports:
// 30 ms of CPU for `index.cjs` in Node 20, where a whole start has 150. So a file is imported that has nothing to find.
for (const { require: cjs, import: esm } of entries) {
  const names = Object.keys(require(resolve(cjs.default)));
  const code = basename(cjs.default);
  const between = `import-${code}`;
  writeFileSync(join(DIRECTORY, between), `const entry = require('./${code}');\nmodule.exports = entry;\n`);
  writeFileSync(esm.default, `import entry from './${between}';\nexport const {\n${wrapped(names)}} = entry;\n`);
}
for (const name of readdirSync(DIRECTORY)) if (name.endsWith('.d.ts')) rmSync(join(DIRECTORY, name));
for (const { import: esm, require: cjs, module: bundled } of entries) {
  const values = Object.keys(require(cjs.default)).sort();
  const esmValues = Object.keys(await import(pathToFileURL(resolve(esm.default)).href)).sort();
  assert.deepEqual(esmValues, values, `${esm.default} and ${cjs.default} export different names`);
  if (bundled !== undefined) {
    const bundledValues = Object.keys(await import(pathToFileURL(resolve(bundled.default)).href)).sort();
    assert.deepEqual(bundledValues, values, `${bundled.default} and ${cjs.default} export different names`);
  }
  mark(cjs.types, values);
  writeFileSync(esm.types, `export * from './${basename(cjs.default)}';\n`);
}

// What the code for Node uses of zod is in its file.
const ofZod = Object.keys(require(resolve(DIRECTORY, 'zod.cjs')));
for (const name of readdirSync(DIRECTORY).filter((name) => name.endsWith('.cjs') && !/^(sandbox|zod)/.test(name))) {
  const text = readFileSync(join(DIRECTORY, name), 'utf8');
  const [, variable] = /(\w+) ?= ?require\(['"]\.\/zod\.cjs['"]\)/.exec(text) ?? [];
  const used =
    variable === undefined ? [] : text.matchAll(new RegExp(`\\b${variable}(?:__namespace)?\\.([a-zA-Z]\\w*)`, 'g'));
  const lacking = Array.from(used, ([, one]) => one).filter((one) => !ofZod.includes(one));
  assert.deepEqual(lacking, [], `dist/${name} uses what src/schema/zod-mini/zod-parts.ts does not give`);
}

// So it is in each of the two files that a bundler chooses from.
for (const part of ['module', 'edge']) {
  const given = exportsOf(`${part}-zod-parts.js`);
  for (const name of readdirSync(DIRECTORY).filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(join(DIRECTORY, name), 'utf8');
    const [, variable] = /import \* as (\w+) from ['"]#zod-parts['"]/.exec(text) ?? [];
    if (variable === undefined) continue;
    // A private name (`this.#e.next`) may be the same letter.
    const uses = text.matchAll(new RegExp(`(?<![#\\w])${variable}\\.([a-zA-Z]\\w*)`, 'g'));
    const used = Array.from(uses, ([, one]) => one);
    // `compile.edge.ts` takes the place of the file that uses them.
    const needed = name === 'module-compile.js' && part === 'edge' ? [] : used;
    const lacking = needed.filter((one) => !given.includes(one));
    assert.deepEqual(lacking, [], `dist/${name} uses what dist/${part}-zod-parts.js does not give`);
  }
}

// One space in place of four: a hundredth of the package, and editors show declarations in their own form.
for (const name of readdirSync(DIRECTORY).filter((name) => name.endsWith('.d.cts'))) {
  const text = readFileSync(join(DIRECTORY, name), 'utf8');
  writeFileSync(
    join(DIRECTORY, name),
    text.replace(/^ +/gm, ({ length }) => ' '.repeat(Math.floor(length / 4) + (length % 4))),
  );
}

// The entry for workers exports what the other does, without what needs Node.
await declareEdge('edge', 'index', ['TlsOptions', 'UndiciTransportOptions', 'undiciTransport']);

/** The names that a bundled file exports. */
function exportsOf(name) {
  const lists = readFileSync(join(DIRECTORY, name), 'utf8').matchAll(/^export ?\{([^}]*)\}/gm);
  return [...lists].flatMap(([, list]) => list.split(',').map((item) => item.trim().split(/\s+/).at(-1)));
}

/** Writes the declarations of an edge entry: those of the entry for Node, but for these names. */
async function declareEdge(name, node, left) {
  const text = readFileSync(join(DIRECTORY, `${node}.d.cts`), 'utf8');
  const lists = [...text.matchAll(EXPORT_LIST)].map(([, list]) => list);
  const items = lists.flatMap((list) => list.trim().split(/\s*,\s*/)).filter((item) => item !== '');
  const nameOf = (item) => item.split(/\s+/).at(-1);
  assert.deepEqual(
    left.filter((one) => !items.some((item) => nameOf(item) === one)),
    [],
  );
  const kept = items.filter((item) => !left.includes(nameOf(item)));
  const exported = kept.map((item) => `${item.startsWith('type ') ? 'type ' : ''}${nameOf(item)}`);
  const values = exported.filter((item) => !item.startsWith('type ')).sort();
  const made = await import(pathToFileURL(resolve(DIRECTORY, `${name}.js`)).href);
  assert.deepEqual(Object.keys(made).sort(), values, `${name} and ${node} export different names`);
  writeFileSync(join(DIRECTORY, `${name}.d.ts`), `export {\n${wrapped(exported)}} from './${node}.cjs';\n`);
}

/** Rewrites the export lists of one file of declarations. */
function mark(file, values) {
  const text = readFileSync(file, 'utf8');
  assert.match(text, EXPORT_LIST, `${file} has no list of exports`);
  const marked = text.replace(EXPORT_LIST, (_, list) => {
    const items = list.trim().split(/\s*,\s*/);
    return `export {\n${wrapped(items.map((item) => markItem(item, values)))}}`;
  });
  writeFileSync(file, marked);
}

function wrapped(items) {
  return items.join(', ').replace(/(.{1,97})(?:, |$)/g, '  $1,\n');
}

/** `item` is a part of an export list: `Name`, `local as Name`, or either with `type` before it. */
function markItem(item, values) {
  const isMarked = item.startsWith('type ');
  const name = item.split(/\s+/).at(-1);
  return isMarked || values.includes(name) ? item : `type ${item}`;
}
