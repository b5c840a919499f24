import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { KEYED_OPERATIONS } from '../../src/request/idempotency-key.js';
import { blocksIn, DOCUMENTS, readDocument, titleOf } from './support/blocks.js';
import { docstrings } from './support/docstrings.js';

interface Snippet {
  readonly title: string;
  readonly code: string;
}

const inDocuments = DOCUMENTS.flatMap((document) => blocksIn(document, readDocument(document)));
const inDocstrings = docstrings().flatMap(({ examples }) => examples);
const programs = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

const snippets: readonly Snippet[] = [
  ...[...inDocuments, ...inDocstrings].map((block) => ({ title: titleOf(block), code: block.code })),
  ...programs.map((path) => ({ title: path, code: readFileSync(join('examples', path), 'utf8') })),
].filter(({ code }) => code.includes('idempotencyKeyFor('));

/** The operations of a snippet's keys: `undefined` where none can be read in the snippet. */
function operationsIn(code: string): (string | undefined)[] {
  const source = ts.createSourceFile('snippet.ts', code, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, string>();
  const found: (string | undefined)[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isStringLiteral(node.initializer))
      constants.set(node.name.getText(), node.initializer.text);
    if (ts.isCallExpression(node) && node.expression.getText() === 'idempotencyKeyFor') {
      const [, operation] = node.arguments;
      if (operation !== undefined && ts.isIdentifier(operation) && isParameter(operation))
        found.push(...literalsOf(source));
      else if (operation !== undefined && ts.isStringLiteral(operation)) found.push(operation.text);
      else found.push(constants.get(operation?.getText() ?? ''));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** True for a parameter of the function around it that the compiler holds to the operations. */
function isParameter(name: ts.Identifier): boolean {
  for (let node: ts.Node = name; node !== undefined; node = node.parent) {
    if (ts.isFunctionLike(node))
      return node.parameters.some((one) => one.name.getText() === name.text && one.type?.getText() === 'KeyedWrite');
  }
  return false;
}

/** The operations that a program names, of which it passes one as a parameter. */
function literalsOf(source: ts.SourceFile): string[] {
  const literals = Array.from(source.text.matchAll(/'([\w.]+)'/g), ([, text = '']) => text);
  const named = literals.filter((text) => KEYED_OPERATIONS.some((known) => known === text));
  return named.length === 0 ? [''] : named;
}

/** `withdrawals.create(` for `funds.withdrawals.create`; for a route, the request of that path. */
function callOf(operation: string): string {
  const [, path] = operation.split(' ');
  return path === undefined ? `${operation.split('.').slice(-2).join('.')}(` : `'${path}'`;
}

describe('an idempotency key in documents, docstrings and examples', () => {
  it('is derived in each place that is known', () => {
    const places = snippets.map(({ title }) => title.replace(/:\d+$/, ''));
    for (const place of ['docs/agents.md', 'src/client.ts', 'payouts/payout-job.ts']) expect(places).toContain(place);
    expect(snippets.length).toBeGreaterThan(25);
  });

  // Who copies from two snippets while a payout is `unknown` would otherwise pay twice.
  it.each(snippets)('is derived for an operation that the snippet calls: $title', ({ code }) => {
    const operations = operationsIn(code);
    expect(operations).not.toEqual([]);
    for (const operation of operations) {
      if (!/^(POST|PUT|PATCH) \//.test(operation ?? '')) expect(KEYED_OPERATIONS).toContain(operation);
      expect(code).toContain(callOf(operation ?? ''));
    }
  });
});
