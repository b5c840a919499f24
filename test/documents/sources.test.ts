import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blocksIn, readDocument } from './support/blocks.js';

const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

describe.each([
  ['src/README.md', '.'],
  ['src/sandbox/README.md', 'sandbox'],
  ['src/inspector/README.md', 'inspector'],
])('%s', (name, folder) => {
  const text = readDocument(name);
  const [tree] = blocksIn(name, text);
  const root = source(folder);
  /** Files and folders of the tree, each at the start of a line. */
  const inTree = (tree?.code ?? '').split('\n').flatMap((line) => line.split(/\s/)[0] || []);

  it('has every folder in its tree', () => {
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(inTree.filter((one) => one.endsWith('/')).sort()).toEqual(folders.map((one) => `${one.name}/`).sort());
  });

  it('names files and folders that are there', () => {
    const ofText = text.matchAll(/(?<=`)(?!tools\/)[\w-]+\/[\w/.-]*(?=`)/g);
    const named = [...(tree?.code ?? '').matchAll(/[\w-]+\.tsx?\b/g), ...ofText];
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('tools/README.md', () => {
  const rows = readDocument('tools/README.md').match(/^\| `.*$/gm) ?? [];
  const firstCells = rows.map((row) => row.split('|')[1] ?? '');

  it('has every folder of tools', () => {
    const folders = readdirSync('tools', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const listed = firstCells.filter((cell) => !/npm run|npx/.test(cell)).flatMap((cell) => cell.match(/\w+/g) ?? []);
    expect(listed.sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it('names the program that each command runs', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const commands = firstCells.flatMap((cell) => {
      const [, script = '', program = ''] = /`npm run ([\w:]+)` \(`([\w./-]+)`\)/.exec(cell) ?? [];
      return script === '' ? [] : [{ script, program }];
    });
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter(({ script, program }) => !scripts[script]?.endsWith(`tsx tools/${program}`))).toEqual([]);
  });
});

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(root, path));

const files = [...filesIn('src'), ...filesIn('tools')];

describe('the trees of src and tools', () => {
  it('has no file of more than 400 lines', () => {
    const lengths = files.map((path) => [path, readFileSync(path, 'utf8').split('\n').length - 1] as const);
    expect(lengths.filter(([, length]) => length > 400)).toEqual([]);
  });
});

describe('comments of src and tools', () => {
  const lines = files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line, index) => ({ line, place: `${path}:${index + 1}` })),
  );

  it('wrap at 100 columns, except for code', () => {
    const long = lines.filter(({ line }) => line.length > 100 && /^ *(\*|\/\/|\/\*)/.test(line));
    expect(long.filter(({ line }) => !/[;{]$/.test(line)).map(({ place }) => place)).toEqual([]);
  });
});
