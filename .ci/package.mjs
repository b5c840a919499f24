// Packs the built package as <directory>/partner-sdk.tgz and holds it against its budgets.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkDocumentNames } from './document-names.mjs';
import { checkEntryGraph } from './entry-graph.mjs';
import { checkExamples } from './examples.mjs';
import { checkLinks, checkSourceLinks } from './links.mjs';
import { checkMainEntry } from './main-entry.mjs';

const MAX_UNPACKED_BYTES = 8_000_000;
const MAX_PACKED_BYTES = 1_860_000;
/** Of the description of the service, in which each member of the lists in a query is a parameter. That of the control plane grows with its members. */
const MAX_DOCUMENT_BYTES = 356_000;
/** Of what applications load; the sandbox has its own. About 1,000 of them are examples. */
const MAX_DECLARATION_LINES = 7_050;
const MAX_SANDBOX_DECLARATION_LINES = 4_500;
/**
 * In characters. Node prints the whole line in which an uncaught error was thrown; lists of imports and exports throw
 * none.
 */
const MAX_CODE_LINE = 1_000;
const ALLOWED =
  /^(dist\/[\w.-]+\.(js|cjs|js\.map|cjs\.map|d\.ts|d\.cts)|dist\/declarations\/\w+\.d\.c?ts|dist\/openapi\.json|dist\/(inspector\.html|control\.openapi\.json|collection\.json)\.br|docs\/([a-z]+\/)?[\w-]+\.(md|svg|webp)|examples\/(([\w-]+|\[\w+\])\/)*[\w.-]+\.(ts|md)|examples\/(containers|jobs)\/(Dockerfile|[\w-]+\.ya?ml)|examples\/languages\/\w+\/\w+\.(sh|go|java|php|py|rb)|package\.json|llms\.txt|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE|THIRD-PARTY-LICENSES)$/;
/** Development dependencies whose code is in files of ours. */
const BUNDLED = ['@scure/base', '@noble/hashes', 'preact', '@preact/signals', '@preact/signals-core'];
/** Dependencies whose code is in files of ours as well. */
const PARTS = ['undici'];
/** The programs of the package: what each loads from it, and its most bytes. */
const COMMANDS = {
  'dist/partner-sandbox.js': { loads: /\(['"]partner-sdk\/sandbox['"]\)/, maxBytes: 55_000 },
  'dist/partner-sdk.js': { loads: /['"]partner-sdk['"]/, maxBytes: 45_000 },
};
/** README shows it. */
const PICTURE = 'docs/sandbox/sandbox-page.webp';
const PAGE = 'dist/inspector.html.br';
/** As it lies in the package; a test holds what the sandbox serves below 150 kB. */
const MAX_PAGE_BYTES = 70_000;
/** Every guide of the repository. */
const DOCUMENTS = readdirSync('docs', { recursive: true })
  .filter((path) => path.endsWith('.md'))
  .map((path) => join('docs', path));
/** Made from the code, for programs in other languages. */
const API = 'dist/openapi.json';
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { exports, imports, bin } = manifest;
/** What Node and compilers find by its name in package.json. */
const NAMED = Array.from(JSON.stringify([exports, imports, bin]).matchAll(/dist\/[^"]+/g), ([path]) => path);
const REQUIRED = [
  ...NAMED,
  ...['dist/control.openapi.json.br', 'dist/collection.json.br', PAGE],
  ...['llms.txt', 'README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md', 'THIRD-PARTY-LICENSES', PICTURE],
  ...DOCUMENTS,
];

const directory = process.argv[2];
assert.ok(directory, 'usage: node .ci/package.mjs <directory>');

// Without scripts: the package was built before, and a build's output would mix with the report.
const report = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', directory]);
const [{ filename, size, unpackedSize, files }] = JSON.parse(report.toString());
renameSync(join(directory, filename), join(directory, 'partner-sdk.tgz'));

const paths = files.map(({ path }) => path);
const declarations = paths.filter((path) => /\.d\.c?ts$/.test(path));
const ofSandbox = declarations.filter((path) => basename(path).startsWith('sandbox.'));
const lines = [declarations.filter((path) => !ofSandbox.includes(path)), ofSandbox].map(countLines);
console.log(
  `${paths.length} files, ${size} bytes, ${unpackedSize} unpacked, ${lines.join(' and ')} lines of declarations (of the sandbox)`,
);

assert.deepEqual(
  paths.filter((path) => !ALLOWED.test(path)),
  [],
  'the tarball holds files that users do not need',
);
assert.deepEqual(
  REQUIRED.filter((path) => !paths.includes(path)),
  [],
  'the tarball lacks files',
);
assert.ok(statSync(PAGE).size < MAX_PAGE_BYTES, 'the page is larger than its budget');
assert.ok(size < MAX_PACKED_BYTES, 'the tarball is larger than its budget');
assert.ok(unpackedSize < MAX_UNPACKED_BYTES, 'the unpacked tarball is larger than its budget');
assert.ok(lines[0] < MAX_DECLARATION_LINES, 'the declarations are longer than their budget');
assert.ok(lines[1] < MAX_SANDBOX_DECLARATION_LINES, "the sandbox's declarations are longer than their budget");
assert.ok(statSync(API).size < MAX_DOCUMENT_BYTES, 'openapi.json is larger than its budget');
for (const path of paths.filter((path) => /\.c?js$/.test(path))) checkLineLengths(path);
for (const path of declarations) {
  // `skipLibCheck: false` in an application would otherwise compile the whole of zod, or need types that it has not
  // installed. An example in a comment may import them.
  const code = readFileSync(path, 'utf8').replaceAll(/^ *\*.*$/gm, '');
  assert.doesNotMatch(code, /from ['"](zod|undici|node:)/, `${path} imports types of a dependency`);
}
checkBundledLicenses();
checkDocumentNames(paths);
checkLinks(paths);
checkSourceLinks();
checkEntryGraph();
checkMainEntry(directory);
checkExamples();
checkCommands();

/** Each command starts, by the built package, and does not hold the code of the package a second time. */
function checkCommands() {
  assert.deepEqual(Object.values(bin).sort(), Object.keys(COMMANDS));
  for (const [path, { loads, maxBytes }] of Object.entries(COMMANDS)) {
    const text = readFileSync(path, 'utf8');
    assert.ok(text.startsWith('#!/usr/bin/env node\n'), `${path} is not executable by its first line`);
    // A long line is broken within texts, too.
    assert.match(text.replaceAll('\\\n', ''), loads, `${path} does not load the package`);
    assert.doesNotMatch(text, /src\/resources\//, `${path} holds a copy of the package`);
    assert.ok(Buffer.byteLength(text) < maxBytes, `${path} is larger than its budget`);
    assert.equal(execFileSync(process.execPath, [path, '--version']).toString().trim(), manifest.version);
  }
}

/** The licences of bundled code travel with it, word for word, and no other entry has such code. */
function checkBundledLicenses() {
  const shipped = readFileSync('THIRD-PARTY-LICENSES', 'utf8');
  for (const name of [...BUNDLED, ...PARTS]) {
    const license = readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim();
    assert.ok(shipped.includes(license), `THIRD-PARTY-LICENSES lacks that of ${name}`);
    if (PARTS.includes(name)) continue;
    assert.ok(!(name in manifest.dependencies), `${name} is bundled, and must not be a dependency as well`);
  }
  for (const path of paths.filter((path) => /\.(js|cjs|d\.ts|d\.cts)$/.test(path))) {
    assert.doesNotMatch(readFileSync(path, 'utf8'), /from ?["']@(scure|noble)\/|require\(["']@(scure|noble)\//, path);
  }
}

function countLines(files) {
  return files.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0);
}

/** The parser of undici is one line of data. */
function checkLineLengths(path) {
  if (path === 'dist/undici-parts.js') return;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const { length } = line.replaceAll(/\b(import|export) ?\{[^}]*\}/g, '');
    assert.ok(length <= MAX_CODE_LINE, `${path}:${index + 1} has ${length} characters`);
  }
}
