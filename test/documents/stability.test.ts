import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { labelOf } from '../../src/resources/labels.js';
import { operations } from '../../src/resources/operations.js';
import { methods } from './support/methods.js';

/** The `@stability` tags of every method of a class, by `Class.method`. Overloads share one docstring. */
const tags = new Map<string, string[]>();
/** The parameter `params` of every method that has one, as it is declared: `params` or `params?`. */
const declared = new Map<string, string>();
for (const name of readdirSync('src/resources', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.ts')) continue;
  const path = `src/resources/${name}`;
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  ts.forEachChild(file, (node) => {
    if (!ts.isClassDeclaration(node)) return;
    for (const member of node.members) {
      if (!ts.isMethodDeclaration(member)) continue;
      const name = `${node.name?.text}.${member.name.getText()}`;
      const found = ts.getJSDocTags(member).filter(({ tagName }) => tagName.text === 'stability');
      const params = member.parameters.find((parameter) => parameter.name.getText() === 'params');
      if (params !== undefined) declared.set(name, params.questionToken ? 'params?' : 'params');
      tags.set(name, [...(tags.get(name) ?? []), ...found.map(({ comment }) => String(comment))]);
    }
  });
}

/** The methods that are no operations, and the operation that each is made of. */
const MADE_OF: readonly (readonly [end: string, operation: string])[] = [
  ['.waitFor', '.get'],
  ['.trade', '.create'],
];

/** Waits for an item of a list, and their marks. */
const WAITS_FOR_ITEMS: ReadonlyMap<string, string> = new Map([
  ['users.verifications.waitFor', 'specified'],
  // No status of its ledger is documented.
  ['funds.withdrawals.waitFor', 'partial'],
]);

function markOf(name: string): string | undefined {
  const operation = operationOf(name);
  return WAITS_FOR_ITEMS.get(name) ?? (operation && labelOf(operation).stability);
}

function operationOf(name: string) {
  const [end = '', operation = ''] = MADE_OF.find(([end]) => name.endsWith(end)) ?? [];
  const wanted = end === '' ? name : name.slice(0, -end.length) + operation;
  return operations.find((one) => one.name === wanted);
}

describe('the mark @stability', () => {
  it.each(methods)('of $name is that of its operation, once', ({ name, method }) => {
    expect(tags.get(method), method).toEqual([markOf(name)]);
  });

  it('is assumed where a 404 says so, and nowhere else', () => {
    const assumed = operations.filter((one) => labelOf(one).stability === 'assumed');
    expect(assumed).toEqual(operations.filter(({ isAssumed }) => isAssumed === true));
    expect(assumed.length).toBeGreaterThan(0);
  });
});

describe('the table of docs/reference/operations.md', () => {
  const table = readFileSync('docs/reference/operations.md', 'utf8');
  const withParams = methods.filter(({ method }) => declared.has(method));

  it.each(withParams)('shows the parameters of $name as the types have them', ({ name, method }) => {
    const [, args = ''] = table.match(new RegExp(`^\\| \`${name}\\((.*?)\\)\` \\|`, 'm')) ?? [];
    expect(args.split(', ').filter((arg) => arg.startsWith('params'))).toEqual([declared.get(method)]);
  });
});
