/**
 * Compiles and runs the code of every operation page, in TypeScript and with curl, against sandboxes.
 * A test runs those of a shell and of Python.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { operations } from '../../src/resources/operations.js';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.js';
import { makeExamples } from '../../tools/examples/examples.js';
import { PAGES, ROOT } from '../../tools/site/paths.js';

const CODE = /^```\w+ \[(\w+)\]\n(.*?)^```$/gms;
const RUN_MS = 400_000;

const run = promisify(execFile);

/** Returns what was run. */
export async function checkExamples(): Promise<string> {
  // In the order in which the examples were made: an id comes from the answer of an earlier call.
  const names = [...(await makeExamples()).keys()];
  assert.equal(names.length, operations.length);
  const pages = names.map((name) => codeOf(name));
  const programs = pages.map(({ TypeScript = '' }) => TypeScript);
  const files = programs.map((text, index) => saved(`${index}.ts`, text));
  assert.deepEqual(typeErrorsOf(files), []);
  const all = saved('all.ts', files.map((_, index) => `await import('./${index}.js');`).join('\n'));
  await withSandbox((env) => run('npx', ['tsx', all], { env, timeout: RUN_MS }));
  const script = saved('all.sh', `set -euo pipefail\n${pages.map(({ curl = '' }) => curl).join('\necho\n')}`);
  await withSandbox((env) => run('bash', [script], { env, timeout: RUN_MS }));
  return `${names.length} operations in TypeScript and with curl`;
}

function codeOf(name: string): Readonly<Record<string, string>> {
  const page = readFileSync(join(PAGES, `operations/${name}.md`), 'utf8');
  const found = Object.fromEntries(Array.from(page.matchAll(CODE), ([, kind = '', code = '']) => [kind, code]));
  assert.deepEqual(Object.keys(found), ['TypeScript', 'Shell', 'curl', 'Python'], `${name} lacks an example`);
  return found;
}

function saved(name: string, text: string): string {
  const folder = join(PAGES, '../examples');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function typeErrorsOf(files: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([...files], options);
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
}

/** A sandbox as the examples were made with. */
async function withSandbox(use: (env: NodeJS.ProcessEnv) => Promise<unknown>): Promise<void> {
  await using sandbox: Sandbox = createSandbox({ seed: 1 });
  const { url } = await sandbox.listen();
  const { apiKey, apiSecret } = sandbox.credentials;
  await use({ ...process.env, PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret });
  const failed = sandbox.journal
    .filter(({ status = 0 }) => status >= 400)
    .map(({ operation, status }) => [operation, status]);
  assert.deepEqual(failed, []);
  assert.ok(sandbox.journal.length >= operations.length, 'an example made no request');
}
