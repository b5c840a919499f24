import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blocksIn, readDocument } from './support/blocks.js';

const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

const text = readDocument('src/README.md');
const [tree] = blocksIn('src/README.md', text);

/** Files and folders of the tree, each at the start of a line. */
const inTree = (tree?.code ?? '').split('\n').flatMap((line) => line.split(/\s/)[0] || []);

describe('src/README.md', () => {
  it('has every folder of src in its tree', () => {
    const folders = readdirSync(source('.'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(inTree.filter((name) => name.endsWith('/')).sort()).toEqual(folders.map(({ name }) => `${name}/`).sort());
  });

  it('names files and folders that are there', () => {
    const named = [...(tree?.code ?? '').matchAll(/[\w-]+\.ts\b/g), ...text.matchAll(/(?<=`)[\w-]+\/[\w/.-]+(?=`)/g)];
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([path]) => path).filter((path) => !existsSync(source(path)))).toEqual([]);
  });

  it('tells the way of a call in ten lines', () => {
    expect(text.match(/^\d+\. /gm)).toHaveLength(10);
  });
});
