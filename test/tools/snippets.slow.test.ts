import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/resources/operations.js';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.js';
import type { Operation } from '../../src/schema/operation.js';
import { type Example, makeExamples } from '../../tools/examples/examples.js';
import { SNIPPETS } from '../../tools/site/operations/snippets/languages.js';
import { COLUMNS } from '../../tools/site/operations/snippets/sources.js';
import { program } from '../support/processes/program.js';

const COMMAND = program('src/command/main.ts');
/** What `npx` runs in a project that has the package. */
const NPX = `npx() { shift; ${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} "$@"; }`;

let examples: ReadonlyMap<string, Example>;
beforeAll(async () => {
  examples = await makeExamples();
});

function snippetOf(title: string, operation: Operation): string {
  const example = examples.get(operation.name);
  if (example === undefined) throw new Error(`${operation.name} has no example`);
  return SNIPPETS.find((one) => one.title === title)?.of(operation, example) ?? '';
}

const LANGUAGES: Readonly<Record<string, (code: string) => readonly [program: string, args: readonly string[]]>> = {
  Shell: (code) => ['bash', ['-euc', `${NPX}\n${code}`]],
  curl: (code) => ['bash', ['-euo', 'pipefail', '-c', code]],
  Python: (code) => ['python3', ['-W', 'error', '-c', code]],
};

/** The variables of a stranger's shell. */
function environmentOf({ credentials }: Sandbox, url: string): NodeJS.ProcessEnv {
  const { apiKey, apiSecret } = credentials;
  const { PATH } = process.env;
  return { PATH, PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret };
}

describe('the examples of the operation pages', () => {
  it.each(Object.keys(LANGUAGES))('make their call in %s, and print its answer', async (title) => {
    await using sandbox = createSandbox({ seed: 1 });
    const { url } = await sandbox.listen();
    const env = environmentOf(sandbox, url);
    // In the order in which the examples were made: an id comes from the answer of an earlier call.
    for (const name of examples.keys()) {
      const operation = operations.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`there is no operation ${name}`);
      const before = sandbox.journal.length;
      const [command, args] = LANGUAGES[title]?.(snippetOf(title, operation)) ?? ['false', []];
      const { stdout } = await promisify(execFile)(command, args, { env });
      const calls = sandbox.journal.slice(before);
      expect(calls.map((call) => call.operation)).toContain(name);
      expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
      if (operation.retrySafety === 'keyed') expect(calls.every(({ key }) => key !== undefined)).toBe(true);
      // A list that is empty prints no item.
      const isSilent = operation.answer.kind === 'nothing' || operation.cursor !== undefined;
      if (!isSilent) expect(stdout).not.toBe('');
    }
    expect(new Set(sandbox.journal.map((call) => call.operation)).size).toBe(operations.length);
  });

  it('fit into the column of the site', () => {
    const lines = operations.flatMap((operation) =>
      SNIPPETS.flatMap(({ title }) =>
        snippetOf(title, operation)
          .split('\n')
          .map((line) => `${operation.name} ${title}: ${line}`),
      ),
    );
    expect(lines.length).toBeGreaterThan(3_000);
    const head = (line: string) => line.indexOf(': ') + 2;
    expect(lines.filter((line) => line.length - head(line) > COLUMNS)).toEqual([]);
  });
});
