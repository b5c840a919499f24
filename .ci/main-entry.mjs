import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CODE_OF_OTHERS, reachable } from './entry-graph.mjs';

const ENTRIES = ['index.cjs', 'webhooks.cjs', 'module.js', 'module-webhooks.js', 'edge.js'];

/**
 * What an application loads is, to the byte, what a package without a sandbox would hold: it is built again from a copy
 * of the sources that has none, and compared with `dist`.
 */
export function checkMainEntry(directory) {
  const copy = buildWithoutSandbox(mkdtempSync(join(directory, 'without-sandbox-')));
  let bytes = 0;
  for (const entry of ENTRIES) {
    const files = withoutHashes(reachable('dist', entry));
    const others = withoutHashes(reachable(copy, entry));
    assert.deepEqual(
      [...files.keys()],
      [...others.keys()],
      `dist/${entry} reaches other files than a build without the sandbox`,
    );
    for (const [name, text] of files) {
      // Comments in it name files by their paths.
      if (CODE_OF_OTHERS.includes(name)) continue;
      assert.ok(text === others.get(name), `dist/${entry}: ${name} is not what it would be without the sandbox`);
      assert.doesNotMatch(text, /src\/sandbox\/|createSandbox/, `dist/${entry}: ${name} holds code of the sandbox`);
      bytes += Buffer.byteLength(text);
    }
  }
  console.log(`${ENTRIES.join(', ')} and all they load: ${bytes} bytes, the same without the sandbox`);
}

/** Numbers the parts that entries share: their names depend on the paths of dependencies. */
function withoutHashes(files) {
  const names = [...files.keys()];
  const numberOf = (hashed) => names.findIndex((name) => name.startsWith(hashed));
  const numbered = (text) => text.replace(/\bchunk-[A-Z0-9]{8}(?=\.c?js)/g, (name) => `part-${numberOf(name)}`);
  return new Map(Array.from(files, ([name, text]) => [numbered(name), numbered(text)]));
}

/** Builds in the empty directory `tree`. Gives the directory of the build. */
function buildWithoutSandbox(tree) {
  const left = join('src', 'sandbox');
  cpSync('src', join(tree, 'src'), { recursive: true, filter: (source) => relative('.', source) !== left });
  for (const file of ['package.json', 'tsconfig.json']) cpSync(file, join(tree, file));
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
  const settings = JSON.stringify(resolve('tsup.config.ts'));
  writeFileSync(
    join(tree, 'tsup.config.mjs'),
    `import { apart, bundled, bundledUndici, check, library, requiredParts } from ${settings};\nexport default [library, check, requiredParts, bundled, bundledUndici, apart].map((build) => ({ ...build, dts: false, silent: true }));\n`,
  );
  execFileSync(process.execPath, [resolve('node_modules/tsup/dist/cli-default.js')], { cwd: tree, stdio: 'inherit' });
  return join(tree, 'dist');
}
