import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { check } from './project.mjs';

const ENTRIES = ['partner-sdk', 'partner-sdk/webhooks', 'partner-sdk/redis', 'partner-sdk/sandbox'];

/** In a program of each module system: how it imports an entry, and how it prints the names of the entry's values. */
const FORMATS = {
  ESM: { extension: 'mts', load: (entry) => `import(${JSON.stringify(entry)})` },
  CJS: { extension: 'cts', load: (entry) => `Promise.resolve(require(${JSON.stringify(entry)}))` },
};

const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts'],
  types: [],
  strict: true,
  noEmit: true,
};

/**
 * What the declarations call a value is one, and the other way round: a program that compiles finds all that it
 * imports.
 */
export function checkDeclarations(project) {
  for (const [format, { extension, load }] of Object.entries(FORMATS)) {
    for (const entry of ENTRIES) {
      const print = `${load(entry)}.then((entry) => console.log(JSON.stringify(Object.keys(entry))))`;
      const name = `values of ${entry}, ${format}`;
      const output = check(name, process.execPath, ['--input-type=commonjs', '--eval', print], { cwd: project });
      const declared = declaredValues(project, entry, extension);
      assert.deepEqual(declared, JSON.parse(output).sort(), `${name}: the declarations and the code differ`);
    }
  }
}

/**
 * The names that an entry exports to a TypeScript program as values. The compiler takes every other export for a type
 * alone, and refuses it where a program needs a value.
 */
function declaredValues(project, entry, extension) {
  const file = join(project, `names.${extension}`);
  writeFileSync(file, `export * as entry from '${entry}';\n`);
  const program = ts.createProgram([file], OPTIONS);
  const errors = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText);
  assert.deepEqual(errors, [], `${entry} does not compile`);
  const checker = program.getTypeChecker();
  const { moduleSpecifier } = program.getSourceFile(file).statements[0];
  const properties = checker.getTypeOfSymbol(checker.getSymbolAtLocation(moduleSpecifier)).getProperties();
  return properties.map(({ name }) => name).sort();
}
