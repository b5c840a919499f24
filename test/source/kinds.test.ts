import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../src/sandbox/kinds/registry/index.js';

const ROOT = 'src/sandbox';

/** What may name kinds: their definitions, webhooks as a kind, recipes about some of them. */
const MAY_NAME = /^(kinds\/|webhooks\/|trouble\/recipes\.ts$)/;

/** Nouns of the whole API. */
const NOUNS_OF_ALL = ['account', 'user', 'asset'];

/** Words of other things, too: limits of requests; the use of an asset to deposit it. */
const MEANS_MORE = ['limits', 'deposit'];

/** `on-chain quote` and `onchainQuotes`: how a kind is named in code. */
const inCode = (noun: string): string =>
  noun.replace('on-chain', 'onchain').replaceAll(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());

const names = new Set(
  KINDS.filter(({ noun }) => !NOUNS_OF_ALL.includes(noun))
    .flatMap(({ name, noun }) => [name, inCode(noun), `${inCode(noun)}s`])
    .filter((name) => !MEANS_MORE.includes(name)),
);

const isName = (word: string): boolean => names.has(word) || names.has(word[0]?.toLowerCase() + word.slice(1));

/** Identifiers and literals that have the name of a kind: the whole, or the first or last words of an identifier. */
function namesIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const parts = node.text.split(/(?=[A-Z])/);
      const runs = parts.flatMap((_, first) =>
        parts.slice(first).map((_part, last) => parts.slice(first, first + last + 1).join('')),
      );
      found.push(...runs.filter(isName));
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      // A text with spaces is for people.
      if (!ts.isImportDeclaration(node.parent) && !/\s/.test(node.text))
        found.push(...(node.text.match(/\w+/g) ?? []).filter(isName));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !MAY_NAME.test(path),
);

describe('a kind of resources', () => {
  it('is named in code and literals: the check sees it', () => {
    expect(
      namesIn('a.ts', "import { b } from './quotes.js'; /* quotes */ const transferId = b('/v1/quotes');"),
    ).toEqual(['transfer', 'quotes']);
  });

  it('is named outside its definition, the webhooks and recipes in two files at most', () => {
    const naming = files.flatMap((path) => {
      const found = namesIn(path, readFileSync(join(ROOT, path), 'utf8'));
      return found.length === 0 ? [] : [`${path}: ${[...new Set(found)].join(', ')}`];
    });
    expect(naming.length, naming.join('\n')).toBeLessThanOrEqual(2);
  });
});
