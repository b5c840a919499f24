import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { Block } from './blocks.js';
import { givenFor } from './docstring-names.js';

/** A docstring of an exported class, interface, type or function, or of a member of one. */
export interface Docstring {
  /** Path of the source from the root of the repository. */
  readonly path: string;
  /** For example `Users.get`, `ClientOptions.hooks`, `verifyWebhook`. */
  readonly name: string;
  /** Names of the parameters of a function or method. */
  readonly parameters: readonly string[];
  /** The whole comment as it is written. */
  readonly text: string;
  /** Its examples, as the editor shows them. */
  readonly examples: readonly Block[];
}

type Documented =
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.FunctionDeclaration
  | ts.ClassElement
  | ts.TypeElement;

const isDocumented = (node: ts.Node): node is Documented =>
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isClassElement(node) ||
  ts.isTypeElement(node);

/** Returns every docstring of the package's sources. The page in the browser has no users of its code. */
export function docstrings(): Docstring[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('inspector'))
    .flatMap((name) => docstringsIn(join('src', name), readFileSync(join('src', name), 'utf8')));
}

/** Returns the docstrings of one source, in their order. */
export function docstringsIn(path: string, text: string): Docstring[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Docstring[] = [];
  const visit = (node: ts.Node, owner: string): void => {
    const name = isDocumented(node) ? nameOf(node, owner) : owner;
    if (isDocumented(node)) {
      const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
      for (const comment of comments) found.push(docstringOf(file, name, node, comment));
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(file, '');
  return found;
}

function nameOf(node: Documented, owner: string): string {
  const own = ts.isConstructorDeclaration(node) ? 'constructor' : (node.name?.getText() ?? '');
  return owner === '' ? own : `${owner}.${own}`;
}

function docstringOf(file: ts.SourceFile, name: string, node: Documented, comment: ts.JSDoc): Docstring {
  const tags = comment.tags?.filter(({ tagName }) => tagName.text === 'example') ?? [];
  const examples = tags.map((tag) => {
    const code = `${ts.getTextOfJSDocComment(tag.comment) ?? ''}\n`;
    const line = file.getLineAndCharacterOfPosition(tag.getStart()).line + 2;
    return { document: file.fileName, line, language: 'ts', code, given: givenFor(name, code) };
  });
  const parameters = ts.isFunctionLike(node) ? node.parameters.map((parameter) => parameter.name.getText()) : [];
  return { path: file.fileName, name, parameters, text: comment.getText(), examples };
}
