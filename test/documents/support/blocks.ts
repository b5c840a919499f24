import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

/** A fenced code block of a document. */
export interface Block {
  /** Path from the root of the repository. */
  readonly document: string;
  /** Line of the document on which the code begins, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /**
   * The first program of the document, below which a reader pastes this block. Absent for the first
   * program itself, and for a block that defines one of its names, which is a program of its own.
   */
  readonly above?: string;
  /** Code that an example of a docstring takes for granted. A block of a document takes nothing. */
  readonly given?: readonly string[];
}

const ROOT = new URL('../../../', import.meta.url);
const FENCED = /^```(?<language>\S*)\n(?<code>.*?)^```$/gms;

/** Every document whose blocks are run. A new one in `docs/` is found by itself. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'src/README.md',
  'src/sandbox/README.md',
  'src/inspector/README.md',
  ...readdirSync(new URL('docs', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function readDocument(document: string): string {
  return readFileSync(new URL(document, ROOT), 'utf8');
}

/** Returns the code blocks of a document. Throws if a fence is indented or not closed. */
export function blocksIn(document: string, text: string): Block[] {
  const blocks = [...text.matchAll(FENCED)].map(({ groups = {}, index }) => {
    const line = text.slice(0, index).split('\n').length + 1;
    return { document, line, language: groups['language'] ?? '', code: groups['code'] ?? '' };
  });
  const fences = text.match(/^\s*(```|~~~)/gm)?.length ?? 0;
  if (fences !== 2 * blocks.length) throw new Error(`${document} has a code block that is indented or not closed`);
  const first = blocks.find(({ language }) => language === 'ts');
  if (first === undefined) return blocks;
  const names = namesBoundBy(first.code);
  return blocks.map((block) => {
    const isAlone = block === first || namesBoundBy(block.code).some((name) => names.includes(name));
    return isAlone ? block : { ...block, above: first.code };
  });
}

/** The names that a program imports or declares for all of its lines. */
function namesBoundBy(code: string): string[] {
  const names: string[] = [];
  const add = ({ name }: { readonly name?: ts.BindingName | undefined }): void => {
    if (name === undefined) return;
    if (ts.isIdentifier(name)) names.push(name.text);
    else for (const element of name.elements) if (ts.isBindingElement(element)) add(element);
  };
  for (const statement of ts.createSourceFile('block.ts', code, ts.ScriptTarget.Latest).statements) {
    if (ts.isVariableStatement(statement)) statement.declarationList.declarations.forEach(add);
    else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) add(statement);
    else if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings } = statement.importClause ?? {};
      add({ name });
      if (namedBindings !== undefined && ts.isNamedImports(namedBindings)) namedBindings.elements.forEach(add);
    }
  }
  return names;
}

export const titleOf = ({ document, line }: Block): string => `${document}:${line}`;
