// Holds the size of the operations in a minified bundle against their budget. Node loads them as they are; a worker or a
// function of a cloud pays for each byte.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** Data, schemas, methods and docstrings of one operation, on average. Measured: see the line that is printed. */
const MAX_BYTES_OF_OPERATION = 800;

const { metafile } = await build({
  entryPoints: ['src/index.ts'],
  ...{ bundle: true, minify: true, format: 'esm', platform: 'node', packages: 'external' },
  ...{ write: false, metafile: true, logLevel: 'error' },
});
const [{ inputs, bytes }] = Object.values(metafile.outputs);
const resources = Object.entries(inputs).filter(([path]) => path.startsWith('src/resources/'));
const operations = resources.reduce((sum, [path]) => sum + countOperations(readFileSync(path, 'utf8')), 0);
const average = resources.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) / operations;
console.log(`a minified bundle has ${bytes} bytes of ours, ${average.toFixed(0)} for each of ${operations} operations`);
assert.ok(average <= MAX_BYTES_OF_OPERATION, `an operation may have ${MAX_BYTES_OF_OPERATION} bytes in a bundle`);

function countOperations(text) {
  return text.split('defineOperation({').length - 1;
}
