import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../..', import.meta.url));
const file = fileURLToPath(new URL('./a-program.ts', import.meta.url));

/** What the compiler says of a program of one file. */
function complaints(program: string): string[] {
  const config = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, program, version) : getSourceFile.call(host, name, version, ...rest);
  const made = ts.createProgram([file], { ...options, noEmit: true }, host);
  return made
    .getSemanticDiagnostics(made.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('a handler without secret does not compile, and the compiler ends with the name of what is missing', {
  timeout: 180_000,
}, () => {
  const [complaint = '', ...others] = complaints(`
    import { webhookHandler } from '../../../src/webhooks/index.js';
    webhookHandler({ onEvent: () => {} });
    webhookHandler({ secret: 'YSBzaWduaW5nIHNlY3JldA==', onEvent: () => {} });
    webhookHandler({ secrets: ['YSBzaWduaW5nIHNlY3JldA=='], onEvent: () => {} });
  `);
  expect(complaint.split('\n').at(-1)).toContain("Property 'secret' is missing");
  expect(others).toEqual([]);
});
