import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { environmentName } from '../../src/sandbox/cli/arguments.js';
import { FLAGS_BY_NAME } from '../../src/sandbox/cli/flags.js';

const PAGE = 'docs/reference/environment.md';
const rows = readFileSync(PAGE, 'utf8').match(/^\| `[A-Z].*?\|/gm) ?? [];
const listed = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));
const options = [...FLAGS_BY_NAME.keys()].filter((name) => !['help', 'version'].includes(name)).map(environmentName);

const files = execFileSync('git', ['ls-files', 'src', 'examples', 'docs', 'README.md'], { encoding: 'utf8' });
const texts = files.split('\n').filter((file) => /\.\w+$/.test(file) && !/\.webp$/.test(file) && file !== PAGE);
const all = texts.map((file) => readFileSync(file, 'utf8')).join('\n');

/** Names of our own, without the codes of warnings, and what programs in any language read. */
const read = [
  ...all.matchAll(/\bPARTNER_(?!SDK_|RECORDS\b)[A-Z_]*[A-Z]\b/g),
  ...all.matchAll(
    /(?<=\b(?:env|environ|environment|ENV)(?:\.|\.get\(|\.fetch\(|\[)['"]?|[gG]etenv\(['"])[A-Z_]{4,}\b/g,
  ),
  ...[...all.matchAll(/\{[^{}]*\} = process\.env\b/g)].flatMap(([names]) => [...names.matchAll(/[A-Z_]{4,}/g)]),
].map(([name]) => name);

it('has each variable that the package, its examples and its documents read', () => {
  expect(new Set(read).size).toBeGreaterThan(20);
  expect([...new Set([...read, ...options])].filter((name) => !listed.includes(name))).toEqual([]);
});

it('has none that nothing else mentions', () => {
  expect(listed.filter((name) => !options.includes(name) && !all.includes(name))).toEqual([]);
});
