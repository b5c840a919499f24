// Checks what the package brings with it: three dependencies, pinned by hash, without scripts at install.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const WANTED = ['decimal.js', 'undici', 'zod'];
/** npm could not ask: no network, or a registry that has no such service. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|E40[0-9]|405 Method/;

/** A machine may be slow and busy: this only ends what hangs. */
const NPM_MS = 120_000;

const npm = (...args) => spawnSync('npm', args, { encoding: 'utf8', timeout: NPM_MS });

const { components, metadata } = JSON.parse(npm('sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx').stdout);
assert.deepEqual(components.map(({ name }) => name).sort(), WANTED, 'an application would install something else');
for (const { name, hashes, licenses } of components) {
  assert.ok(hashes?.length > 0, `${name} has no hash in the lock file`);
  assert.ok(licenses?.length > 0, `${name} has no licence`);
}
console.log(`bill of materials of ${metadata.component['bom-ref']}: ${WANTED.join(', ')}, each with hash and licence`);

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
for (const [path, { integrity, link, hasInstallScript, dev }] of Object.entries(packages)) {
  if (path === '' || link) continue;
  assert.ok(integrity, `${path} has no hash in the lock file`);
  assert.ok(dev || !hasInstallScript, `${path} runs a script at install`);
}
console.log(
  `${Object.keys(packages).length - 1} packages of the lock file have a hash; those that users get run no script`,
);

const { status, stdout, stderr, error } = npm('audit', 'signatures', '--fetch-retries=0');
const said = `${error?.code ?? ''} ${stdout}${stderr}`.trim();
if (status === 0) console.log(stdout.trim());
else {
  assert.match(said, UNREACHABLE, said);
  console.log(`signatures of the registry: not checked here (${UNREACHABLE.exec(said)[0]})`);
}
