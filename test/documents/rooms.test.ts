import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocument } from './support/blocks.js';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
const documents = files.filter((path) => path.endsWith('.md') && !path.startsWith('api/'));

const withoutCode = (document: string): string => readDocument(document).replaceAll(/^```.*?^```/gms, '');

/** Targets of the links of a document, without those to other hosts. */
const linksOf = (document: string): string[] =>
  Array.from(withoutCode(document).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !/^[a-z]+:/.test(target),
  );

/** The anchors that GitHub gives to the headings of a document. */
const anchorsOf = (document: string): string[] =>
  Array.from(withoutCode(document).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

/** Whether a path, with or without an anchor, is a file or folder of the repository. */
function isThere(path: string, anchor: string | undefined): boolean {
  if (!existsSync(path)) return false;
  return anchor === undefined || (statSync(path).isFile() && anchorsOf(path).includes(anchor));
}

describe('a link of a document', () => {
  it('leads to a file and a heading that are there', () => {
    const links = documents.flatMap((document) =>
      linksOf(document).map((target) => {
        const [file = '', anchor] = target.split('#');
        return { document, target, anchor, path: file === '' ? document : posix.join(document, '..', file) };
      }),
    );
    expect(links.length).toBeGreaterThan(100);
    const dead = links.filter(({ path, anchor }) => !isThere(path, anchor));
    expect(dead.map(({ document, target }) => `${document}: ${target}`)).toEqual([]);
  });
});

describe('a document that a message or a comment names', () => {
  it('is there, with its heading', () => {
    const sources = files.filter((path) => /^(src|tools|test|examples|bench|\.ci|\.github)\//.test(path));
    const named = sources.flatMap((source) =>
      Array.from(
        readFileSync(source, 'utf8').matchAll(/(?<![\w}/])(?:\.\.\/)*(docs\/[\w/-]+\.(?:md|svg|webp)(?:#[\w-]+)?)/g),
        ([, path = '']) => ({ source, path }),
      ),
    );
    expect(named.map(({ source }) => source)).toContain('src/response/to-error.ts');
    const dead = named.filter(({ path }) => {
      const [file = '', anchor] = path.split('#');
      return !isThere(file, anchor);
    });
    // A sample of a change log, not a path of this repository.
    expect(dead.filter(({ source }) => source !== 'test/tools/release-notes.test.ts')).toEqual([]);
  });
});

describe('a room of the documents', () => {
  const rooms = readdirSync('docs', { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it.each(rooms.map(({ name }) => name))('%s has a first page that links to each of its pages', (room) => {
    const pages = readdirSync(`docs/${room}`).filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(pages).not.toEqual([]);
    const linked = linksOf(`docs/${room}/README.md`);
    expect(pages.filter((name) => !linked.includes(name))).toEqual([]);
  });
});
