import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly id?: string;
  readonly run?: string;
}

const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
const publishing = (jobs.publish.steps as readonly Step[]).flatMap(({ run }) => run ?? []);
const hashing = (jobs.pack.steps as readonly Step[]).find(({ id }) => id === 'hash')?.run ?? '';

const TARBALL = 'release/partner-sdk-1.2.3.tgz';

let folder: string;

/** A folder as the steps find it: the files of the first job, and programs that note their calls. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partner-sdk-publish-'));
  for (const name of ['release', 'package', 'bin']) mkdirSync(join(folder, name));
  pack('1.2.3');
  for (const name of ['npm', 'gh']) {
    writeFileSync(
      join(folder, 'bin', name),
      `#!/bin/sh\necho "${name} $*" >> "$CALLS"\ncase "${name} $*" in $FAILING) exit 1 ;; esac\n`,
    );
    chmodSync(join(folder, 'bin', name), 0o755);
  }
});

afterEach(() => rmSync(folder, { recursive: true }));

function pack(version: string): void {
  writeFileSync(join(folder, 'package/package.json'), `${JSON.stringify({ name: 'partner-sdk', version }, null, 2)}\n`);
  execFileSync('tar', ['-czf', join(folder, TARBALL), '-C', folder, 'package']);
}

/** Runs the step of the first job that hashes the tarball. Its container has no bash by default. */
function hashOfTarball(): string {
  const output = join(folder, 'output');
  const env = { PATH: '/usr/bin:/bin', GITHUB_REF_NAME: 'v1.2.3', GITHUB_OUTPUT: output };
  execFileSync('sh', ['-e', '-c', hashing], { cwd: folder, env });
  return readFileSync(output, 'utf8').trim().replace('sha512=', '');
}

/** Runs the steps as GitHub does, until one fails. Returns the calls of programs. */
function publish(failing: string, sha512 = hashOfTarball()): string[] {
  const [calls, kept] = [join(folder, 'calls'), join(folder, 'env')];
  for (const script of publishing) {
    const lines = existsSync(kept) ? readFileSync(kept, 'utf8').trim().split('\n') : [];
    const { status } = spawnSync('bash', ['-e', '-c', script], {
      cwd: folder,
      env: {
        ...Object.fromEntries(lines.map((line) => line.split('=', 2))),
        PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
        GITHUB_REF_NAME: 'v1.2.3',
        GITHUB_ENV: kept,
        SHA512: sha512,
        CALLS: calls,
        FAILING: failing,
      },
    });
    if (status !== 0) break;
  }
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
}

const NO_DRAFT_YET = 'gh release view*';
const VIEW = 'gh release view v1.2.3';
const CREATE = `gh release create v1.2.3 --draft --verify-tag --title v1.2.3 --notes-file release/notes.md ${TARBALL} release/sbom.cdx.json`;
const PUBLISH = `npm publish ./${TARBALL} --provenance --ignore-scripts --access public`;
const SHOW = 'gh release edit v1.2.3 --draft=false';

test('the note is drafted, then the tarball is published, then the note is shown', () => {
  expect(publish(NO_DRAFT_YET)).toEqual([VIEW, CREATE, PUBLISH, SHOW]);
});

test('a second attempt keeps the draft of the first', () => {
  expect(publish('nothing')).toEqual([VIEW, PUBLISH, SHOW]);
});

test('if the registry refuses the tarball, the note stays a draft', () => {
  expect(publish('npm publish*')).toEqual([VIEW, PUBLISH]);
});

test('without a note nothing is published', () => {
  expect(publish('gh release *')).toEqual([VIEW, CREATE]);
});

test('a tarball with another hash than the tested one is not published', () => {
  const tested = hashOfTarball();
  writeFileSync(join(folder, TARBALL), 'x', { flag: 'a' });
  expect(publish(NO_DRAFT_YET, tested)).toEqual([]);
});

test('a tarball of another version than the tag is not published', () => {
  pack('1.2.4');
  expect(publish(NO_DRAFT_YET)).toEqual([]);
});
