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
 * "X is a type and must be imported using a type-only import when verbatimModuleSyntax is enabled", and the same of a
 * re-export.
 */
const TYPE_IMPORTED_AS_VALUE = [1484, 1485];

/** "X cannot be used as a value because it was exported using 'export type'". */
const TYPE_USED_AS_VALUE = [1362, 2693];

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
      const declared = declaredNames(project, entry, extension);
      assert.deepEqual(declared.values, JSON.parse(output).sort(), `${name}: the declarations and the code differ`);
      if (format === 'ESM') checkTypesAreTypes(project, entry, declared.types);
    }
  }
}

/** The names that an entry exports to a TypeScript program: as values, and as types alone. */
function declaredNames(project, entry, extension) {
  const { program, source } = compile(project, `names.${extension}`, `export * as entry from '${entry}';\n`);
  assert.deepEqual(codesOf(program), [], `${entry} does not compile`);
  const checker = program.getTypeChecker();
  const specifier = source.statements[0].moduleSpecifier;
  const entrySymbol = checker.getSymbolAtLocation(specifier);
  const values = checker
    .getTypeOfSymbol(entrySymbol)
    .getProperties()
    .map(({ name }) => name);
  const types = checker
    .getExportsOfModule(entrySymbol)
    .map(({ name }) => name)
    .filter((name) => !values.includes(name));
  return { values: values.sort(), types };
}

/**
 * `import { Quotes }` is refused where Node would look for a value, `import type { Quotes }` is not; nor can a type be
 * made or called.
 */
function checkTypesAreTypes(project, entry, types) {
  assert.ok(types.length > 0, `${entry} has no types`);
  const names = types.join(', ');
  const compileWith = (text) => codesOf(compile(project, 'types.mts', text, { verbatimModuleSyntax: true }).program);
  assert.deepEqual(compileWith(`import type { ${names} } from '${entry}';\n`), [], `${entry}: types are not types`);
  const imported = compileWith(`import { ${names} } from '${entry}';\n`);
  assert.equal(imported.length, types.length, `${entry}: types can be imported as values`);
  assert.ok(
    imported.every((code) => TYPE_IMPORTED_AS_VALUE.includes(code)),
    `${entry}: other errors: ${imported}`,
  );
  const used = compileWith(`import type { ${names} } from '${entry}';\nexport const used = [${names}];\n`);
  const refused = used.filter((code) => [1361, ...TYPE_USED_AS_VALUE].includes(code));
  assert.equal(refused.length, types.length, `${entry}: types can be used as values: ${used}`);
  console.log(`ok types of ${entry} are no values (${types.length})`);
}

function compile(project, name, text, options = {}) {
  const file = join(project, name);
  writeFileSync(file, text);
  const program = ts.createProgram([file], { ...OPTIONS, ...options });
  return { program, source: program.getSourceFile(file) };
}

function codesOf(program) {
  return ts.getPreEmitDiagnostics(program).map(({ code }) => code);
}
