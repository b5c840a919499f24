// Builds a second time, and compares: whoever has the sources can check what is published.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const hashes = () =>
  Object.fromEntries(
    readdirSync('dist', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );

const first = hashes();
execFileSync('npm', ['run', 'build'], { stdio: 'ignore' });
assert.deepEqual(hashes(), first, 'a second build gives other bytes');
console.log(`a second build gives the same ${Object.keys(first).length} files, byte for byte`);
