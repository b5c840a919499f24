// The public surface in files that a review can read: `npm run api` writes them from the built declarations. Without
// `--write` it fails when they are not what was built, or when CHANGELOG does not tell of a change.
//
// Comments are left out: other words are not another surface. One line in CHANGELOG's newest section ends with the hash
// of api/ (`<!-- api: … -->`). So each change of the surface has to touch that section, also in a clone without history:
// write the line that tells users of it, and put the new hash at its end in place of the old one.
//
// api/names.txt has every name that this major version has exported. None may go before the next major version. Before the
// first publication a name may go: delete the file, and it begins anew.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

const { name: packageName, version, exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.entries(exports).filter(([, entry]) => typeof entry === 'object');
const files = entries.flatMap(([, { import: esm, require: cjs }]) => [resolve(esm.types), resolve(cjs.types)]);
const program = ts.createProgram(files, { lib: ['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts'], types: [] });
const checker = program.getTypeChecker();
const NAMES = 'api/names.txt';
const TITLE = `Every name that version ${version.split('.')[0]} has exported`;
const printer = ts.createPrinter({ removeComments: true });

const exportsOf = (file) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));

/** What an entry exports, and what that mentions, sorted by name. */
function surfaceOf(file) {
  const exported = exportsOf(file);
  const marks = new Map(exported.map((symbol) => [actualOf(symbol), isType(symbol) ? 'export /* type */' : 'export']));
  const found = new Map();

  function add(symbol) {
    const statements = (symbol.declarations ?? []).map(statementOf).filter((statement) => statement !== undefined);
    if (found.has(symbol) || statements.length === 0) return;
    found.set(symbol, statements);
    for (const statement of statements) visit(statement);
  }

  function visit(node) {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol !== undefined) add(actualOf(symbol));
    ts.forEachChild(node, visit);
  }

  for (const symbol of marks.keys()) add(symbol);
  return [...found]
    .sort(([one], [other]) => (one.name < other.name ? -1 : 1))
    .flatMap(([symbol, statements]) => statements.map((statement) => textOf(statement, marks.get(symbol))))
    .join('\n');
}

function actualOf(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** True for an export of which a program that imports it can only use the type. */
function isType({ declarations: [specifier] }) {
  return specifier.isTypeOnly || specifier.parent.parent.isTypeOnly;
}

/** The statement that makes a declaration; undefined for a member, a parameter, and what TypeScript itself declares. */
function statementOf(declaration) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const file = statement.parent;
  return ts.isSourceFile(file) && file.fileName.includes('/dist/') ? statement : undefined;
}

function textOf(statement, mark) {
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile());
  const bare = text.replace(/^(export )?(declare )?/, '');
  const isAlwaysType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return `${mark === undefined ? '' : `${isAlwaysType ? 'export' : mark} `}${bare}\n`;
}

/** A line for each exported name: also a value that became a type alone is another line. */
function namesOf(entry, file) {
  return exportsOf(file).map((symbol) => {
    const isValue = !isType(symbol) && actualOf(symbol).flags & ts.SymbolFlags.Value;
    return `${packageName}${entry.slice('.'.length)} ${isValue ? 'value' : 'type'} ${symbol.name}`;
  });
}

/** The names that this major version has exported until now; none if it is new. */
function promisedNames() {
  const [of, ...lines] = existsSync(NAMES) ? readFileSync(NAMES, 'utf8').trimEnd().split('\n') : [];
  return of === TITLE ? lines : [];
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

const surfaces = entries.map(([name, { import: esm, require: cjs }]) => {
  const surface = surfaceOf(resolve(esm.types));
  assert.equal(surfaceOf(resolve(cjs.types)), surface, `${name}: the CJS declarations are others than the ESM ones`);
  const path = name.slice('.'.length);
  return { file: `api${path || '/index'}.d.ts`, text: `// ${packageName}${path}\n\n${surface}` };
});

const names = entries.flatMap(([name, { import: esm }]) => namesOf(name, resolve(esm.types))).sort();
const promised = promisedNames();
const lost = promised.filter((name) => !names.includes(name));
if (lost.length > 0) fail(`Public names may go only with the next major version:\n${lost.join('\n')}`);

if (process.argv.includes('--write')) {
  mkdirSync('api', { recursive: true });
  for (const { file, text } of surfaces) writeFileSync(file, text);
  writeFileSync(NAMES, `${[TITLE, ...names].join('\n')}\n`);
}
if (names.length > promisedNames().length) fail(`${NAMES} lacks new names: npm run api writes them`);
for (const { file, text } of surfaces) {
  const difference = ['diff', '--no-index', '--no-color', '--', file, '-'];
  const { status, stdout, stderr } = spawnSync('git', difference, { input: text, encoding: 'utf8' });
  if (status !== 0) fail(`${stdout}${stderr}\n${file} is not the surface that was built: npm run api writes it`);
}
const hash = createHash('sha256').update(surfaces.map(({ text }) => text).join(''));
const marker = `<!-- api: ${hash.digest('hex').slice(0, 12)} -->`;
const [newest = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1);
if (!newest.split('\n').some((line) => /\w/.test(line.split(marker)[0]) && line.endsWith(marker))) {
  fail(`The surface has changed: tell users in CHANGELOG's newest section, and end that line with ${marker}`);
}
console.log(`${surfaces.length} entries have the surface that api/ shows and CHANGELOG tells of`);
