/** Runs after tsup: writes ES modules and declarations of the entries, by what CommonJS exports. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/** An entry of the package: its files by the conditions of `exports`. */
interface Entry {
  readonly [condition: string]: { readonly types: string; readonly default: string } | undefined;
}

const require = createRequire(resolve('package.json'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, Entry | string> };

for (const entry of Object.values(manifest.exports)) if (typeof entry === 'object') await finish(entry);

async function finish(entry: Entry): Promise<void> {
  const { import: esm, require: cjs } = entry;
  assert.ok(esm !== undefined && cjs !== undefined);
  const values = Object.keys(require(resolve(cjs.default)) as object).sort();
  writeEsModule(esm.default, basename(cjs.default), values);
  for (const { types, default: code } of Object.values(entry).filter((files) => files !== undefined)) {
    const module = code.endsWith('.cjs') ? require(resolve(code)) : await import(pathToFileURL(resolve(code)).href);
    const names = Object.keys(module as object).sort();
    if (!types.includes('edge')) assert.deepEqual(names, values, `${code} exports other names than ${cjs.default}`);
    writeDeclarations(types, names);
  }
}

/**
 * Writes an ES module that exports what the CommonJS file exports: a program that loads both forms
 * has one copy of each class. Node searches an imported CommonJS file for the names of its exports.
 * For `index.cjs` that is 30 of 150 ms of CPU at start, in Node 20 (`npm run bench:start`). So the
 * module imports a file in which Node finds no names, not even by `module.exports = require(…)`.
 */
function writeEsModule(file: string, code: string, names: readonly string[]): void {
  const between = `import-${code}`;
  writeFileSync(join('dist', between), `const entry = require('./${code}');\nmodule.exports = entry;\n`);
  writeFileSync(file, `import entry from './${between}';\nexport const {\n${lines(names)}} = entry;\n`);
}

/** Writes declarations with the `type` of `export type { Class }`, which bundled ones have lost. */
function writeDeclarations(file: string, values: readonly string[]): void {
  const name = basename(file).replace(/\.d\.c?ts$/, '');
  const names = exportedNames(join('dist', 'declarations', `${name}.d.cts`));
  const items = names.map((one) => (values.includes(one) ? one : `type ${one}`));
  writeFileSync(file, `export {\n${lines(items)}} from './declarations/${name}.cjs';\n`);
}

function exportedNames(file: string): string[] {
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const clauses = statements.flatMap((one) => (ts.isExportDeclaration(one) ? (one.exportClause ?? []) : []));
  return clauses.flatMap((one) => (ts.isNamedExports(one) ? one.elements.map(({ name }) => name.text) : []));
}

function lines(items: readonly string[]): string {
  return items.map((item) => `  ${item},\n`).join('');
}
