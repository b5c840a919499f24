import { describe, expect, it } from 'vitest';
import * as sdk from '../../src/index.js';
import { operations } from '../../src/resources/operations.js';
import { FAILURES } from './support/docstring-names.js';
import { docstrings } from './support/docstrings.js';
import { methods } from './support/methods.js';

const all = docstrings();

/** The examples of all docstrings of one name: overloads and several tags are joined. */
const exampleOf = (name: string): string =>
  all
    .filter((docstring) => docstring.name === name)
    .flatMap(({ examples }) => examples.map(({ code }) => code))
    .join('\n');

const LONGEST_EXAMPLE_LINES = 8;

describe('the docstrings', () => {
  it.each(methods)('of $name has an example that calls it', ({ name, method }) => {
    const call = name.split('.').slice(-2).join('.');
    expect(exampleOf(method)).toContain(`${call}(`);
  });

  it.each(methods)('of $name says what it throws, and what its ids are', ({ method }) => {
    const own = all.find(({ name }) => name === method);
    expect(own?.text).toMatch(/@throws \S+/);
    const ids = own?.parameters.filter((name) => /Id$|^(id|key)$/.test(name)) ?? [];
    expect(ids.filter((id) => !own?.text.includes(`@param ${id} `))).toEqual([]);
  });

  it('are those of all operations', () => {
    expect(operations).toHaveLength(70);
    expect(operations.filter(({ name }) => !methods.some((one) => one.name === name))).toEqual([]);
  });

  it.each(['request', 'list', 'settle', 'withOptions', 'stats', 'close'])('of client.%s() has an example', (name) => {
    expect(exampleOf(`PartnerClient.${name}`)).toContain(`client.${name}(`);
  });

  it.each([
    ['PartnerClient', 'new PartnerClient('],
    ['ApiPromise.withResponse', '.withResponse()'],
    ['PagedList', 'for await'],
    ['PagedList.[Symbol.asyncIterator]', 'for await'],
    ['PagedList.pages', '.pages()'],
    ['PagedList.toArray', '.toArray('],
    ['Page', 'nextPageToken'],
    ['Page.nextPage', '.nextPage()'],
  ])('of %s has an example', (name, text) => {
    expect(exampleOf(name)).toContain(text);
  });

  const functions = Object.entries(sdk).filter(([, value]) => typeof value === 'function');
  const isClass = (value: unknown) => /^class\b/.test(String(value));
  const errors = functions.filter(([, value]) => value.prototype instanceof Error).map(([name]) => name);

  it.each(errors)('of %s has an example that catches it', (name) => {
    expect(exampleOf(name)).toMatch(new RegExp(`instanceof ${name}|isPartnerError`));
    expect(Object.keys(FAILURES)).toContain(name);
  });

  // `Decimal` is a class of another package.
  const others = functions.filter(([name, value]) => !isClass(value) && name !== 'Decimal');

  it.each(others.map(([name]) => name))('of %s() has an example', (name) => {
    expect(exampleOf(name)).toContain(`${name}(`);
  });

  it('have no code but that of their examples', () => {
    const fenced = all.filter(({ text }) => text.includes('* ```'));
    expect(fenced.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
  });

  it('have short examples', () => {
    const examples = all.flatMap((docstring) => docstring.examples);
    expect(examples.length).toBeGreaterThan(150);
    const lines = (code: string) =>
      code
        .trim()
        .split('\n')
        .filter((line) => line.trim() !== '');
    const long = examples.filter(({ code }) => lines(code).length > LONGEST_EXAMPLE_LINES);
    expect(long.map(({ document, line }) => `${document}:${line}`)).toEqual([]);
  });
});
