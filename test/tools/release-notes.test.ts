import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { releaseNotes } from '../../tools/release-notes.js';

const LOG = `# Changes

All of them.

## 2.0.0

Newer.

## 1.2.0

- One line.

### With a heading

Text about ## 9.9.9.

## 1.2

Older.
`;

test('the notes of a version are its section, without its heading and without its neighbours', () => {
  expect(releaseNotes(LOG, '1.2.0')).toBe('- One line.\n\n### With a heading\n\nText about ## 9.9.9.');
});

test('the first section begins after its heading, the last one ends with the file', () => {
  expect(releaseNotes(LOG, '2.0.0')).toBe('Newer.');
  expect(releaseNotes(LOG, '1.2')).toBe('Older.');
  expect(releaseNotes('## 1.0.0\nAll.', '1.0.0')).toBe('All.');
});

test('a version without a section, or with an empty or a second one, has no notes', () => {
  expect(() => releaseNotes(LOG, '3.0.0')).toThrow('one section "## 3.0.0"');
  expect(() => releaseNotes(LOG, '9.9.9')).toThrow('one section');
  expect(() => releaseNotes(LOG, '1x2')).toThrow('one section');
  expect(() => releaseNotes('## 1.0.0\n\n## 0.9.0\nText.', '1.0.0')).toThrow('with text');
  expect(() => releaseNotes(`${LOG}\n## 2.0.0\n\nAgain.`, '2.0.0')).toThrow('one section');
});

describe('links of the notes', () => {
  const linked = [
    '## 1.2.0',
    '- See [the',
    '  sandbox](docs/sandbox.md#faults), [`here`](#1-1-0) and [there](https://example.com/a).',
  ].join('\n');

  test.each([
    'git+https://github.com/owner/name.git',
    'https://github.com/owner/name',
    'git+ssh://git@github.com/owner/name.git',
  ])('lead to the files of the tag: %s', (repository) => {
    const files = 'https://github.com/owner/name/blob/v1.2.0';
    expect(releaseNotes(linked, '1.2.0', repository)).toBe(
      [
        '- See [the',
        `  sandbox](${files}/docs/sandbox.md#faults), [\`here\`](${files}/CHANGELOG.md#1-1-0) and [there](https://example.com/a).`,
      ].join('\n'),
    );
  });

  test('are text without a repository, but for those to elsewhere', () => {
    const text = '- See the\n  sandbox, `here` and [there](https://example.com/a).';
    expect(releaseNotes(linked, '1.2.0')).toBe(text);
  });
});

test('CHANGELOG has the notes of the version in package.json', () => {
  const notes = releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), VERSION);
  expect(notes).not.toMatch(/^## /m);
  expect(notes).not.toContain('](docs/');
});
