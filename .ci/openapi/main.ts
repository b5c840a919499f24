/**
 * Holds the documents against programs of others: linters, Prism, Newman. `tsx .ci/openapi/main.ts <folder>
 * [text]` prints one line that begins with `ok` for each check, or for those that have the text in their names. The
 * first failure ends it. The documents must be built.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { createSandbox } from '../../src/sandbox/index.js';
import { makeExamples } from '../../tools/examples/examples.js';
import { callAll, echoing } from './calls.js';
import { installTools, runTool, startPrism } from './tools.js';

const RANDOM_ROUNDS = 2;

const [folder, wanted = ''] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: tsx .ci/openapi/main.ts <folder> [text]');
const tools = resolve(folder, 'openapi-tools');
const document = (name: string): string => resolve(import.meta.dirname, '../../dist', name);
const API = document('openapi.json');

/** Writes a document that the package holds compressed, and gives its path. */
function unpacked(name: string): string {
  const file = join(tools, name);
  writeFileSync(file, brotliDecompressSync(readFileSync(document(`${name}.br`))));
  return file;
}

const examples = await makeExamples();
const keys = { apiKey: 'pk_any', apiSecret: Buffer.from('any').toString('base64') };

async function check(name: string, run: () => unknown): Promise<void> {
  if (!name.includes(wanted)) return;
  const began = performance.now();
  await run();
  console.log(`ok ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

async function lint(): Promise<void> {
  const redocly = join(tools, 'redocly.yaml');
  writeFileSync(redocly, 'extends: [recommended]\n');
  const spectral = join(tools, 'spectral.yaml');
  writeFileSync(spectral, 'extends: ["spectral:oas"]\n');
  const control = unpacked('control.openapi.json');
  for (const file of [API, control]) {
    await runTool(tools, 'redocly', ['lint', '--config', redocly, file]);
    await runTool(tools, 'spectral', ['lint', '--fail-severity=warn', '--ruleset', spectral, file]);
  }
}

async function mock(): Promise<void> {
  const prism = await startPrism(tools, ['mock', '--dynamic', API]);
  try {
    for (let round = 0; round < RANDOM_ROUNDS; round++) {
      for (const responseValidation of ['strict', 'tolerant'] as const) {
        const options = { ...keys, baseUrl: prism.url, responseValidation, transport: echoing() };
        assert.deepEqual(await callAll(examples, options), [], responseValidation);
      }
    }
  } finally {
    await prism.stop();
  }
}

/**
 * Prism compares each request and each answer with the document, and answers an error if one differs. The answers are
 * the document's examples.
 */
async function proxy(): Promise<void> {
  await using sandbox = createSandbox({ seed: 1 });
  const { url } = await sandbox.listen();
  const prism = await startPrism(tools, ['proxy', '--errors', API, url]);
  try {
    assert.deepEqual(await callAll(examples, { ...sandbox.credentials, baseUrl: prism.url }), []);
    assert.equal(sandbox.journal.length, examples.size);
    assert.doesNotMatch(prism.log(), /violation/i);
  } finally {
    await prism.stop();
  }
}

async function collection(): Promise<void> {
  await using sandbox = createSandbox({ seed: 1 });
  const { url } = await sandbox.listen();
  const { apiKey, apiSecret } = sandbox.credentials;
  const values = Object.entries({ baseUrl: url, apiKey, apiSecret }).map(([name, value]) => `${name}=${value}`);
  const variables = values.flatMap((value) => ['--env-var', value]);
  await runTool(tools, 'newman', ['run', unpacked('collection.json'), '--color', 'off', ...variables]);
  const answers = sandbox.journal.map(({ operation, status }) => `${operation} ${status}`);
  assert.deepEqual(answers.sort(), [...examples.keys()].map((name) => `${name} 200`).sort());
}

if (!existsSync(tools)) installTools(tools);
await check('Redocly and Spectral find no fault in the documents', lint);
await check(`the client takes random answers of Prism, in each operation, ${RANDOM_ROUNDS} times`, mock);
await check('Prism finds no violation between client and sandbox, in each operation', proxy);
await check('the Postman collection signs each request, and each is answered 200 in its form', collection);
