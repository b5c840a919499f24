import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

/** The editor shows an example at the method of every operation: in the declarations that are shipped. */
export function checkExamples() {
  const file = resolve('dist/index.d.ts');
  const program = ts.createProgram([file], { lib: ['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts'], types: [] });
  const checker = program.getTypeChecker();
  const exports = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
  const client = exports.find(({ name }) => name === 'PartnerClient');
  const clientType = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(client));
  const names = operationsOf(JSON.parse(readFileSync('dist/openapi.json', 'utf8')));
  const missing = names.filter((name) => {
    let [type, member] = [clientType];
    for (const part of name.split('.')) {
      member = checker.getPropertyOfType(type, part);
      assert.ok(member, `dist/index.d.ts has no ${name}`);
      type = checker.getTypeOfSymbol(member);
    }
    return !member.getJsDocTags(checker).some((tag) => tag.name === 'example');
  });
  assert.deepEqual(missing, [], 'operations whose declaration has no example');
  console.log(`the declarations of ${names.length} operations have an example`);
}

function operationsOf({ paths }) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  return operations.flatMap(({ operationId }) => operationId ?? []);
}
