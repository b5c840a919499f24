import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.js';
import { COMMAND, startListening } from '../cli/support/command.js';
import { directory } from '../cli/support/directory.js';
import { program } from '../support/processes/program.js';
import { type Block, blocksIn, DOCUMENTS, readDocument, titleOf } from './support/blocks.js';
import { NOT_RUN } from './support/not-run.js';
import { compile, run } from './support/run.js';
import { typeErrorsOf } from './support/type-check.js';

/** `.ci/consumers/recipes/first-hour.mjs` runs this page as a whole: each block needs those before it. */
const FIRST_HOUR = 'docs/start/first-hour.md';
const blocks = DOCUMENTS.filter((document) => document !== FIRST_HOUR).flatMap((document) =>
  blocksIn(document, readDocument(document)),
);
const programs = blocks.filter(({ language }) => language === 'ts');
const scripts = blocks.filter(({ language }) => language === 'sh' || language === 'bash');
/** Documents that show trees, formulas and messages, too. */
const DRAWINGS = ['src/README.md', 'src/sandbox/README.md', 'src/inspector/README.md', 'docs/reference/protocol.md'];
const isListed = (block: Block): boolean => NOT_RUN.some(({ has }) => block.code.includes(has));

/** A program with packages that this project lacks: a recipe of `.ci/consumers/recipes` compiles it with them. */
const isElsewhere = ({ code, above = '' }: Block): boolean =>
  /^\/\/ src\/main\.ts\n|from '(koa|@nestjs\/core)'/.test(above + code);

/** The block after a program, when it is what the program prints. */
function outputOf(block: Block): string | undefined {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.document === block.document && next.language === 'text' ? next.code : undefined;
}

describe('every code block of the documents', () => {
  it('is a program, a file of a test, a script of the shell, or what the program before it prints', () => {
    const shown = blocks.filter(({ document }) => !DRAWINGS.includes(document));
    const others = shown.filter(({ language }) => !['ts', 'js', 'sh', 'bash', 'text'].includes(language));
    expect(others.map(titleOf)).toEqual([]);
    const outputs = shown.filter(({ language }) => language === 'text');
    expect(programs.filter((block) => outputOf(block) !== undefined)).toHaveLength(outputs.length);
  });

  it('that is JSON can be read as such', () => {
    const messages = blocks.filter(({ language }) => language === 'json');
    expect(messages.length).toBeGreaterThan(5);
    for (const block of messages) expect(() => JSON.parse(block.code), titleOf(block)).not.toThrow();
  });

  it('that is not run is listed once, with its reason', () => {
    for (const { has, reason } of NOT_RUN) {
      expect(reason).not.toBe('');
      expect(blocks.filter(({ code }) => code.includes(has)).length, has).toBe(1);
    }
  });

  it('that is a program compiles against the sources', { timeout: 360_000 }, () => {
    expect(programs.length).toBeGreaterThan(20);
    expect(typeErrorsOf(programs.filter((block) => !isElsewhere(block)))).toEqual([]);
  });
});

describe('a program of the documents runs against the sandbox', () => {
  const runnable = programs.filter((block) => !isListed(block) && !isElsewhere(block));
  beforeAll(() => compile(runnable));
  // `new PartnerClient()` without options reaches this sandbox.
  beforeAll(async () => {
    const sandbox = createSandbox({ seed: 1, realTime: true });
    const { url: PARTNER_BASE_URL } = await sandbox.listen();
    const { apiKey: PARTNER_API_KEY, apiSecret: PARTNER_API_SECRET } = sandbox.credentials;
    Object.assign(process.env, { PARTNER_BASE_URL, PARTNER_API_KEY, PARTNER_API_SECRET });
    return () => sandbox.close();
  });

  it.each(runnable.map((block) => [titleOf(block), block] as const))('%s', async (_, block) => {
    const printed = await run(block);
    const output = outputOf(block);
    if (output !== undefined) expect(printed).toBe(output);
  });
});

/** The package is not installed in its own clone. */
const NPX = `npx() {
  case "$1" in
    partner-sdk) shift; '${process.execPath}' '${program('src/command/main.ts')}' "$@";;
    *) shift; ${COMMAND.map((word) => `'${word}'`).join(' ')} "$@";;
  esac
}`;

describe('a script of the documents runs beside the command partner-sandbox', () => {
  const runnable = scripts.filter((block) => !isListed(block));

  // An answer other than 2xx fails the script.
  it.each(runnable.map((block) => [titleOf(block), block] as const))('%s', async (_, { code }) => {
    const command = await startListening();
    const cwd = await directory();
    await writeFile(join(cwd, 'sandbox.log'), command.stdout);
    const script = `eval "$(grep ^export sandbox.log)"\ncurl() { command curl --fail-with-body "$@"; }\n${NPX}\n${code}`;
    const { stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd });
    expect(stderr).toBe('');
  });
});
