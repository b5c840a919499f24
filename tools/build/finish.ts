/** Runs after tsup: writes what one build gives on from another. */
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
 * Gives the exports of CommonJS on: a program that uses both forms has one of each class. Node
 * searches a CommonJS file that is imported for the names of its exports. For `index.cjs` that
 * takes Node 20 30 ms of CPU, where a whole start takes 150. So a file is imported that has nothing
 * to find, no `module.exports = require(…)` either.
 */
function writeEsModule(file: string, code: string, names: readonly string[]): void {
  const between = `import-${code}`;
  writeFileSync(join('dist', between), `const entry = require('./${code}');\nmodule.exports = entry;\n`);
  writeFileSync(file, `import entry from './${between}';\nexport const {\n${lines(names)}} = entry;\n`);
}

/** Bundled declarations lose the `type` of `export type { Class }`. These have it again. */
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
