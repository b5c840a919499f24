import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type Block, titleOf } from './blocks.js';
import { moduleOf } from './modules.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Compiles all blocks as one program against the sources. Returns each error with its place. */
export function typeErrorsOf(blocks: readonly Block[]): string[] {
  const modules = new Map(blocks.map((block, index) => [`${ROOT}test/documents/block-${index}.ts`, block] as const));
  const texts = new Map([...modules].map(([name, block]) => [name, moduleOf(block)] as const));
  const program = programOf(new Map([...texts].map(([name, { text }]) => [name, text])));
  return [...modules].flatMap(([name, block]) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map((problem) => {
      const line = file?.getLineAndCharacterOfPosition(problem.start ?? 0).line ?? 0;
      const place = line - (texts.get(name)?.offset ?? 0) + block.line;
      return `${block.document}:${place} ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')} (${titleOf(block)})`;
    });
  });
}

function programOf(sources: ReadonlyMap<string, string>): ts.Program {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options, noUnusedLocals: false };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => sources.has(name) || fileExists(name);
  host.getSourceFile = (name, version) => {
    const text = sources.get(name);
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version);
  };
  return ts.createProgram([...sources.keys()], options, host);
}
