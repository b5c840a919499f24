import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCUMENTS, readDocument } from './support/blocks.js';
import { UNKNOWNS } from './support/unknowns.js';

/** A sentence that calls a fact unknown. An assumption is marked as one, so it does not count. */
const UNKNOWN = new RegExp(
  [
    String.raw`(?:\bnot|n't) document\b`,
    String.raw`(?:\b(?:not|no|none (?:is|are))|n't) documented\b|\bundocumented\b|\bask the service for\b`,
    String.raw`\bdocuments (?:no|neither|[^.]* but not)\b`,
    String.raw`\b(?:service|specification|API) (?:does not|doesn't) (?:say|name|show)\b`,
  ].join('|'),
);

/** The part of a document below each of its headings, without code. */
const parts = DOCUMENTS.filter((name) => name !== 'docs/reference/questions.md').flatMap((name) =>
  readDocument(name)
    .replace(/^```.*?^```$/gms, '')
    .split(/^#+ (?=.)/m)
    .map((part) => [name, part.split('\n')[0] ?? '', part] as const),
);

/** Each docstring, with the name of what it describes. */
const docstrings = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .flatMap((name) =>
    Array.from(
      readFileSync(`src/${name}`, 'utf8').matchAll(
        /\/\*\*((?:(?!\*\/).)*)\*\/\s*(?:(?:export|abstract|readonly|static|async|interface|type|class|const|function) )*(\w*)/gs,
      ),
      ([, text = '', member = '']) => [`src/${name}`, member, text.replace(/^\s*\* ?/gm, '')] as const,
    ),
  );

const found = [...parts, ...docstrings].filter(([, , text]) => UNKNOWN.test(text.replace(/\s+/g, ' ')));
const placesIn = (places: readonly (readonly [file: string, place: string, ...rest: string[]])[]) =>
  [...new Set(places.map(([file, place]) => `${file}: ${place}`))].sort();

it('a fact is called unknown only where neither the API description nor the public reference has it', () => {
  const listed = Object.entries(UNKNOWNS).flatMap(([file, places]) => places.map((place) => [file, place] as const));
  const why = 'Look the fact up in both sources. Write it with its source, or list the place in support/unknowns.ts';
  expect(placesIn(found), why).toEqual(placesIn(listed));
});

it('who is told to ask the service is shown the page of questions', () => {
  const asking = /\bso \[?ask\b|\b[Aa]sk (?:the service|your contact)\b/;
  const told = [...parts, ...docstrings].filter(([, , text]) => asking.test(text.replace(/\s+/g, ' ')));
  expect(told.length).toBeGreaterThan(5);
  expect(placesIn(told.filter(([, , text]) => !text.includes('questions.md')))).toEqual([]);
});
