import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What other entries of the package hold; an application that does not import them must not load them. */
const FOREIGN = ['sandbox', 'redis', 'opentelemetry'];
/** What each entry loads. Not `zod`: every bundle of an application would hold the whole of it. */
const DEPENDENCIES = {
  // Files of undici and of zod, and all of a package that has other files.
  'index.cjs': ['undici', 'undici/lib/core/errors.js', 'undici/lib/dispatcher/client.js', 'zod/mini', 'decimal.js'],
  'module.js': ['zod/mini', 'decimal.js'],
};

/** They load nothing of the package. Their comments name files of their own. */
export const CODE_OF_OTHERS = ['noble-hashes.js', 'undici-parts.js'];

const { imports } = JSON.parse(readFileSync('package.json', 'utf8'));

const SPECIFIER = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*['"]([@#\w./:-]+)['"]/g;
const SOURCE = /^\/\/ src\/(\S+)$/gm;
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:class|function|const|let|enum|interface|type) (\w+)/gm;

/** The file of `directory` and every one that it loads, at once or later, by name. */
export function reachable(directory, name, found = new Map()) {
  if (found.has(name)) return found;
  const text = readFileSync(join(directory, name), 'utf8');
  found.set(name, text);
  if (CODE_OF_OTHERS.includes(name)) return found;
  for (const specifier of specifiersOf(text).map((one) => chosen(one, name))) {
    if (specifier.startsWith('.')) reachable(directory, fileOf(specifier, name), found);
  }
  return found;
}

/** The file that `imports` in package.json chooses: that of workers for what begins at their entry. */
function chosen(specifier, importer) {
  const forms = imports[specifier];
  if (forms === undefined) return specifier;
  return (importer.startsWith('edge') ? forms.workerd : forms.default).replace('./dist/', './');
}

/** What `import 'partner-sdk'` loads, and what its compiler reads, holds nothing of the package's other entries. */
export function checkEntryGraph() {
  for (const entry of Object.keys(DEPENDENCIES)) checkCode(entry);
  checkDeclarations('index.d.cts');
  console.log(
    `index loads ${DEPENDENCIES['index.cjs'].join(', ')} and nothing of ${FOREIGN.join(', ')}, in code and declarations`,
  );
}

function checkCode(entry) {
  const files = reachable('dist', entry);
  let told = 0;
  for (const [name, text] of files) {
    const sources = [...text.matchAll(SOURCE)].map(([, source]) => source);
    told += sources.length;
    const foreign = sources.filter((source) => FOREIGN.includes(source.split('/')[0]));
    assert.deepEqual(foreign, [], `dist/${entry} loads parts of other entries in dist/${name}`);
  }
  // Without these comments there would be nothing to see.
  assert.ok(told > 100, `dist/${entry} and what it loads do not tell their sources`);
  const ours = [...files].filter(([name]) => !CODE_OF_OTHERS.includes(name));
  const outside = ours
    .flatMap(([, text]) => specifiersOf(text))
    .filter((specifier) => !/^(\.|#|node:)/.test(specifier));
  assert.deepEqual([...new Set(outside)].sort(), [...DEPENDENCIES[entry]].sort(), `dist/${entry} loads other packages`);
}

/** The bundle of declarations does not tell its sources: it must not declare what the other entries alone export. */
function checkDeclarations(entry) {
  const files = reachable('dist', entry);
  const extension = entry.slice('index'.length);
  const own = exportsOf(files.get(entry));
  for (const name of FOREIGN) {
    const file = `${name}${extension}`;
    assert.ok(!files.has(file), `dist/${entry} loads dist/${file}`);
    const theirs = exportsOf(readFileSync(join('dist', file), 'utf8')).filter((exported) => !own.includes(exported));
    assert.ok(theirs.length > 0, `dist/${file} exports nothing of its own`);
    const declared = [...files.values()].flatMap((part) => [...part.matchAll(DECLARED)].map(([, found]) => found));
    assert.deepEqual(
      theirs.filter((exported) => declared.includes(exported)),
      [],
      `dist/${entry} declares parts of dist/${file}`,
    );
  }
}

/** The names after `export {`, as their users know them. */
function exportsOf(text) {
  return [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list.split(',').map((item) => item.trim().split(/\s+/).at(-1)),
  );
}

function specifiersOf(text) {
  return [...text.matchAll(SPECIFIER)].map(([, specifier]) => specifier);
}

/** Declarations name the code of each other. */
function fileOf(specifier, importer) {
  const name = join(dirname(importer), specifier);
  return /\.d\.c?ts$/.test(importer) ? name.replace(/\.(c?)js$/, '.d.$1ts') : name;
}
