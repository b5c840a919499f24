// Holds what bundles hold of the built package against budgets: a worker or a function of a cloud pays for each byte.
// Prints the figures of docs/start/bundling.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const CLIENT = `import { PartnerClient } from 'partner-sdk';`;
const webhooks = (name) => `export { ${name} } from 'partner-sdk/webhooks';`;

/** For the platform `neutral`, esbuild refuses every module of Node. */
const WORKER = { platform: 'neutral', mainFields: ['module', 'main'], conditions: ['workerd'] };
const NODE = { platform: 'node' };

/** The most bytes of each bundle, with all that it imports. */
const BUNDLES = [
  {
    name: 'a worker that calls users.get',
    options: WORKER,
    maxBytes: 225_000,
    text: `${CLIENT}
      export default {
        async fetch(request, env) {
          const client = new PartnerClient(env);
          return Response.json(await client.users.get(new URL(request.url).searchParams.get('user')));
        },
      };`,
  },
  { name: 'a worker with verifyWebhook', options: WORKER, maxBytes: 18_000, text: webhooks('verifyWebhook') },
  { name: 'a worker with webhookHandler', options: WORKER, maxBytes: 22_900, text: webhooks('webhookHandler') },
  {
    name: 'a function in Node that calls users.get',
    options: NODE,
    maxBytes: 402_000,
    text: `${CLIENT}
      const client = new PartnerClient();
      export const handler = ({ userId }) => client.users.get(userId);`,
  },
  { name: 'a function in Node with verifyWebhook', options: NODE, maxBytes: 12_200, text: webhooks('verifyWebhook') },
  { name: 'a function in Node with webhookHandler', options: NODE, maxBytes: 23_200, text: webhooks('webhookHandler') },
];

/** Data, schemas, methods and docstrings of one operation, on average. Measured: see the line that is printed. */
const MAX_BYTES_OF_OPERATION = 700;

for (const { name, options, maxBytes, text } of BUNDLES) {
  const { bytes, code } = await bundle({ stdin: { contents: text, resolveDir: '.' }, ...options });
  console.log(`${name}: ${bytes} bytes`);
  assert.ok(bytes <= maxBytes, `${name} has ${bytes} bytes, more than ${maxBytes}`);
  const ofNode = /\b(from|import|require)[(\s]*['"](node:|undici)/;
  if (options === WORKER) assert.doesNotMatch(code, ofNode, `${name} holds a name of Node's`);
}

const { inputs, bytes } = await bundle({ entryPoints: ['src/index.ts'], ...NODE, packages: 'external' });
const resources = Object.entries(inputs).filter(([path]) => path.startsWith('src/resources/'));
const operations = resources.reduce((sum, [path]) => sum + countOperations(readFileSync(path, 'utf8')), 0);
const average = resources.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0) / operations;
console.log(`a minified bundle has ${bytes} bytes of ours, ${average.toFixed(0)} for each of ${operations} operations`);
assert.ok(average <= MAX_BYTES_OF_OPERATION, `an operation may have ${MAX_BYTES_OF_OPERATION} bytes in a bundle`);

async function bundle(options) {
  // The project's settings lead the package's name to its sources.
  const tsconfigRaw = options.stdin && {};
  const common = { bundle: true, minify: true, format: 'esm', write: false, metafile: true, logLevel: 'error' };
  const { metafile, outputFiles } = await build({ ...common, ...options, tsconfigRaw });
  const [{ inputs, bytes }] = Object.values(metafile.outputs);
  return { inputs, bytes, code: outputFiles[0].text };
}

function countOperations(text) {
  return text.match(/= define(Operation|List)\(/g)?.length ?? 0;
}
