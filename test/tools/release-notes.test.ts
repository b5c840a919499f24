import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test('CHANGELOG has the notes of the version in package.json', () => {
  expect(releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), VERSION)).not.toMatch(/^## /m);
});
