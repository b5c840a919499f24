import ts from 'typescript';
import { type Block, blocksIn, readDocument } from './blocks.js';

/** The line of README's program after which the examples of the docstrings go on. */
const END_OF_SETTING = '// More calls go here, before close().\n';

/** The first lines of README's program: a sandbox, a client and ids of the sandbox's data. */
export const setting: string = settingOf(blocksIn('README.md', readDocument('README.md')));

function settingOf(blocks: readonly Block[]): string {
  const [program, ...others] = blocks.filter(({ code }) => code.includes(END_OF_SETTING));
  if (program === undefined || others.length > 0) throw new Error(`README has no program with "${END_OF_SETTING}"`);
  return program.code.slice(0, program.code.indexOf(END_OF_SETTING));
}

/** `new PartnerClient()` without options reaches the sandbox of the setting. */
const ENVIRONMENT =
  'Object.assign(process.env, { PARTNER_BASE_URL: url, PARTNER_API_KEY: sandbox.credentials.apiKey, PARTNER_API_SECRET: sandbox.credentials.apiSecret });\n';

/** A block as a module that can be compiled and run. */
export interface BlockModule {
  readonly text: string;
  /** Number of lines before those of the block. */
  readonly offset: number;
}

/** Pastes a block of a document below the first one, as a reader does, and puts the setting before a docstring's. */
export function moduleOf(block: Block): BlockModule {
  if (block.given !== undefined) return withSetting(block.code, block.given);
  const head = block.above === undefined ? '' : `${block.above}\n`;
  return { text: `${head}${block.code}\nexport {};\n`, offset: head.split('\n').length - 1 };
}

/** Gives the code a scope of its own, so that it may declare a name of the setting once more. */
function withSetting(code: string, given: readonly string[]): BlockModule {
  const before = [setting, ENVIRONMENT, ...given].map(split);
  const own = split(code);
  const imports = new Map<string, string>();
  for (const [name, line] of [...before, own].flatMap((part) => [...part.imports])) {
    // A class of the setting stays a value, also where the block needs its type alone.
    if (!line.startsWith('import { type ') || !imports.has(name)) imports.set(name, line);
  }
  const head = `${[...imports.values()].join(' ')}\n${before.map(({ body }) => body).join('')}try {\n`;
  const end = '} finally {\n  await client.close();\n  await sandbox.close();\n}\nexport {};\n';
  return { text: `${head}${own.body}${end}`, offset: head.split('\n').length - 1 };
}

interface Parts {
  /** One import for each local name. */
  readonly imports: ReadonlyMap<string, string>;
  /** The code without its imports, on the same lines. */
  readonly body: string;
}

function split(code: string): Parts {
  const file = ts.createSourceFile('block.ts', code, ts.ScriptTarget.Latest);
  const imports = new Map<string, string>();
  let body = code;
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const text = statement.getText(file);
    for (const [name, line] of importsOf(statement, file)) imports.set(name, line);
    body = body.replace(text, text.replaceAll(/[^\n]/g, ''));
  }
  return { imports, body };
}

function importsOf({ importClause, moduleSpecifier }: ts.ImportDeclaration, file: ts.SourceFile): [string, string][] {
  const from = `from ${moduleSpecifier.getText(file)};`;
  const found: [string, string][] = [];
  if (importClause?.name) found.push([importClause.name.text, `import ${importClause.name.text} ${from}`]);
  const bindings = importClause?.namedBindings;
  if (bindings !== undefined && ts.isNamedImports(bindings)) {
    const type = importClause?.isTypeOnly ? 'type ' : '';
    for (const element of bindings.elements) {
      found.push([element.name.text, `import { ${type}${element.getText(file)} } ${from}`]);
    }
  }
  if (found.length === 0) throw new Error(`an import of another form: ${from}`);
  return found;
}
