import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/resources/index.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const examplesIn = (text: string): string[] => [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

const readme = read('README.md');
const guides = readdirSync(new URL('../docs', import.meta.url)).filter((name) => name.endsWith('.md'));
const examples = [readme, ...guides.map((name) => read(`docs/${name}`))].flatMap(examplesIn);

/** What a reader has at hand where an example does not say it: imports of an earlier one, variables of their own. */
const GIVEN: Readonly<Record<string, string>> = {
  PartnerClient: `import { PartnerClient } from 'partner-sdk';`,
  Decimal: `import { Decimal } from 'partner-sdk';`,
  idempotencyKeyFor: `import { idempotencyKeyFor } from 'partner-sdk';`,
  isPartnerError: `import { isPartnerError } from 'partner-sdk';`,
  fetchTransport: `import { fetchTransport } from 'partner-sdk';`,
  http: `import { http } from 'msw';`,
  setupServer: `import { setupServer } from 'msw/node';`,
  z: `import { z } from 'zod';`,
  client: `declare const client: import('partner-sdk').PartnerClient;`,
  sandbox: `declare const sandbox: import('partner-sdk/sandbox').Sandbox;`,
  baseUrl: 'declare const baseUrl: string;',
  credentials: 'declare const credentials: { apiKey: string; apiSecret: string }[];',
  accountId: 'declare const accountId: string;',
  userId: 'declare const userId: string;',
  quoteId: 'declare const quoteId: string;',
  orderId: 'declare const orderId: string;',
  methodId: 'declare const methodId: string;',
  address: 'declare const address: string;',
  secret: 'declare const secret: string;',
  rawBody: 'declare const rawBody: Uint8Array;',
  request: 'declare const request: { headers: Record<string, string | string[] | undefined> };',
  body: `declare const body: import('partner-sdk').WithdrawalAddressSaveBody;`,
  vault: 'declare const vault: { read(name: string): Promise<string> };',
  settle: 'declare function settle(quoteId: string | undefined): Promise<void>;',
  app: `declare const app: import('express').Express;`,
  askOperator: 'declare function askOperator(operation: string): Promise<string>;',
  remember: 'declare function remember(operation: string | undefined, key: string | undefined): Promise<void>;',
};

function asModule(example: string): string {
  const code = example.replaceAll(/\/\/.*|'[^']*'/g, '');
  const needed = Object.entries(GIVEN).filter(([name]) => {
    const used = new RegExp(`(?<![.\\w])${name}\\b(?!:)`).test(code);
    const declared = new RegExp(`(?:const|let|using|import) (?:(?! of )[^=;(:])*\\b${name}\\b`).test(code);
    return used && !declared;
  });
  return `${needed.map(([, declaration]) => declaration).join('\n')}\n${example}\nexport {};\n`;
}

function complaints(sources: ReadonlyMap<string, string>): string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => sources.has(name) || fileExists(name);
  host.getSourceFile = (name, version) => {
    const text = sources.get(name);
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...sources.keys()], { ...options, noUnusedLocals: false }, host);
  return [...sources.keys()].flatMap((name) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(name))
      .map(({ messageText }) => `${sources.get(name)}\n→ ${ts.flattenDiagnosticMessageText(messageText, '\n')}`),
  );
}

describe('README and docs', () => {
  it('have examples that compile', { timeout: 60_000 }, () => {
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const sources = new Map(examples.map((example, index) => [`${folder}readme-${index}.ts`, asModule(example)]));
    expect(sources.size).toBeGreaterThan(10);
    expect(complaints(sources)).toEqual([]);
  });

  it.each(operations)(
    'lists $name with its method and path',
    ({ name, method, path, paged, retrySafety, stability }) => {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}(`));
      expect(row).toContain(`| ${method} ${path}`);
      expect(row?.includes(', paged')).toBe(paged === true);
      expect(row?.includes(', keyed')).toBe(retrySafety === 'keyed');
      expect(row?.includes(`(*${stability}*)`)).toBe(stability !== 'specified');
    },
  );
});
