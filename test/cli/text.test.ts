import { execFileSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Output } from '../../src/sandbox/cli/output/output.js';
import { shellWord, word } from '../../src/sandbox/cli/output/text.js';
import { printable } from '../../src/util/printable.js';
import { bash } from './support/bash.js';

test.each([
  ['a\nb', 'a\\u000ab'],
  ['a\r\u001b[2Jb', 'a\\u000d\\u001b[2Jb'],
  ['\u009b31m', '\\u009b31m'],
  ['\u2028\u2029', '\\u2028\\u2029'],
  ['\u202etxt.exe', '\\u202etxt.exe'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['\ud800', '\\ud800'],
  ['Zürich 東京 🙂', 'Zürich 東京 🙂'],
])('%j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('what was JSON stays the same JSON', () => {
  const value = { 'a\u009b\u2028': ['\ud800 \u{e0041}"\\ \n'] };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

test.each([
  ['5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90', '5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90'],
  ['x  200 accepted', '"x  200 accepted"'],
  ['"quoted"', '"\\"quoted\\""'],
  ['', '""'],
  ['\t', '"\\t"'],
  ['é', '"é"'],
])('%j is one word of a line: %s', (text, shown) => {
  expect(word(text)).toBe(shown);
});

test('a long text is cut', () => {
  expect(word('x'.repeat(100), 10)).toBe(`${'x'.repeat(10)}…`);
});

test.each(['plain', '', 'a b', "it's", '$HOME `id` "x" \\', 'http://[::1]:8420', '; rm -rf /'])(
  'a shell reads %j as it was meant',
  (text) => {
    expect(execFileSync(...bash('-c', `value=${shellWord(text)}; printf %s "$value"`)).toString()).toBe(text);
  },
);

test.each(['a\nb', 'a\rb', 'a\0b', '\u001b[2J', '\u0085', '\u2028'])('no shell is given %j', (text) => {
  expect(() => shellWord(text)).toThrow('a value for the shell has characters that cannot be printed');
});

test('what happens before it has said where it listens is said after it', async () => {
  const stream = new PassThrough();
  const output = new Output(stream);
  output.write('delivery');
  output.begin('listening\n# more');
  output.write('request');
  await output.flushed();
  stream.end();
  expect(await textOf(stream)).toBe('listening\n# more\ndelivery\nrequest\n');
});
