import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = 'src/sandbox';

/** The folders that the files of each folder import from. A folder has its own files, not those of its subfolders. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** Types count, too. */
function importsOf(files: readonly (readonly [path: string, text: string])[]): Imports {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const folder = dirname(path);
    const targets = imports.get(folder) ?? new Set();
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const target = dirname(normalize(join(folder, fileName)));
      if (fileName.startsWith('.') && !target.startsWith('..') && target !== folder) targets.add(target);
    }
    imports.set(folder, targets);
  }
  return imports;
}

/** Returns the folders that lead back to themselves. */
function circular(imports: Imports): string[] {
  const reached = (from: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const waiting = [from];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for (const next of imports.get(folder) ?? []) if (!found.has(next)) waiting.push(found.add(next) && next);
    }
    return found;
  };
  return [...imports.keys()].filter((folder) => reached(folder).has(folder));
}

describe('the folders of src/sandbox', () => {
  it('have no circle: the check sees one, with the folder above and with types', () => {
    const above = importsOf([
      ['a/x.ts', "import type { Y } from './b/y.js';"],
      ['a/b/y.ts', "import { z } from '../z.js';"],
      ['c/w.ts', "import { x } from '../a/x.js';"],
    ]);
    expect(circular(above)).toEqual(['a', 'a/b']);
  });

  it('import each other in no circle', () => {
    const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
    expect(paths.length).toBeGreaterThan(200);
    const imports = importsOf(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
    expect(circular(imports)).toEqual([]);
  });
});
