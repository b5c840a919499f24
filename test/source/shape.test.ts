import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const MAX_LINES_OF_CLASS = 230;

const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(root, path));

/** Returns the name and the number of lines of each class. */
function classesOf(text: string): (readonly [name: string | undefined, lines: number])[] {
  const file = ts.createSourceFile('any.tsx', text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const found: (readonly [string | undefined, number])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) found.push([node.name?.text, lineAt(node.end) - lineAt(node.getStart(file)) + 1]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('the classes of the sources', () => {
  it('are measured from their first line to their brace', () => {
    expect(classesOf('/** Text. */\nclass A {\n  a = 1;\n}\nconst b = class {};')).toEqual([
      ['A', 3],
      [undefined, 1],
    ]);
  });

  it.each(['src', 'tools', 'bench', 'test'])(`in %s have at most ${MAX_LINES_OF_CLASS} lines`, (root) => {
    const classes = filesOf(root)
      .map((path) => [path, readFileSync(path, 'utf8')] as const)
      .filter(([, text]) => /\bclass\b/.test(text) && text.split('\n').length > MAX_LINES_OF_CLASS)
      .flatMap(([path, text]) => classesOf(text).map(([name, lines]) => ({ path, name, lines })));
    expect(classes.filter(({ lines }) => lines > MAX_LINES_OF_CLASS)).toEqual([]);
  });
});

describe('object literals', () => {
  /** A literal that is spread into another: the compiler does not see an unknown member of it. */
  const spread = /\.\.\.\{/;

  it.each(['src', 'tools', 'bench', 'test', 'examples'])('in %s spread no literal', (root) => {
    expect(filesOf(root).filter((path) => spread.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});
