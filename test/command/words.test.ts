import { expect, test } from 'vitest';
import { readWords } from '../../src/util/words.js';

const read = (...words: string[]) =>
  readWords(words, { isSwitch: (name) => ['all', 'help'].includes(name), letters: { h: 'help' } });
const flag = (name: string, value?: string, written = `--${name}`) => ({ name, written, value });

test.each<[words: string[], plain: string[], flags: object[]]>([
  [['call', 'users.get'], ['call', 'users.get'], []],
  [['--from.symbol', 'USD', 'x'], ['x'], [flag('from.symbol', 'USD')]],
  [['--a=b=c', '--d='], [], [flag('a', 'b=c'), flag('d', '')]],
  [['--all', 'x'], ['x'], [flag('all')]],
  [['--all=1'], [], [flag('all', '1')]],
  [['--a', '--b', 'c'], [], [flag('a'), flag('b', 'c')]],
  [['--amount', '-5', '--body', '-'], [], [flag('amount', '-5'), flag('body', '-')]],
  [['--a', 'x', '--a', 'y'], [], [flag('a', 'x'), flag('a', 'y')]],
  [
    ['-h', '-p', '1', '-5', '-no'],
    ['-5', '-no'],
    [flag('help', undefined, '-h'), flag('p', '1', '-p')],
  ],
  [['x', '--', '--a', '--'], ['x', '--a', '--'], []],
  [['--a', '--'], [], [flag('a')]],
  [['--a', 'line\nbreak', '--b=line\nbreak'], [], [flag('a', 'line\nbreak'), flag('b', 'line\nbreak')]],
])('%j', (words, plain, flags) => {
  expect(read(...words)).toEqual({ plain, flags });
});
