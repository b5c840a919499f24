/**
 * Prints how each document reads, in figures: `npm run docs:style`. With names of files, it also
 * prints the words that it counts. It is a report: what is good English is for a reader to say.
 */
import { readFileSync } from 'node:fs';
import { guides } from './documents.js';

/** Words that the trade says otherwise. */
const ODD: readonly RegExp[] = [
  /\banswers?\b(?! \d{3})/g,
  /\brefus(?:e[sd]?|ing|als?)\b/g,
  /\brepeat(?:s|ed|ing)?\b/g,
  /\btexts?\b/g,
  /\bedges?\b/g,
  /\b(?:un)?proven\b/g,
  /\b(?:comes? to an end|its end|the end of)\b/g,
  /\b(?:is|are) (?:kept|forgotten|made)\b/g,
  /\b(?:call's time|the way of a call|in place of|an own|as it is)\b/g,
  /\bgives?\b/g,
];

/** A key without the word that says which. */
const BARE_KEY =
  /(?<!\b(?:api|idempotency|address|hmac|primary|foreign|lease|public|private|object|cache|message|redis|derived)[ -])\bkeys?\b/gi;

const YOU = /^you/i;

/** The English of a document: no code, comments, headings nor addresses of links. */
const englishOf = (markdown: string): string =>
  markdown
    .replace(/^```.*?^```$|^<!--.*?-->$/gms, '')
    .replace(/^#.*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replace(/^\s*(?:[-*]|\d+\.)\s+/gm, '\n')
    .replace(/[*_]/g, '');

/** Cells of tables are no sentences. */
const sentencesOf = (english: string): readonly (readonly string[])[] =>
  english
    .replace(/^\|.*$/gm, '')
    .split(/\n\s*\n|(?<=[.!?:])\s+(?=[A-Z"“(c])/)
    .map((sentence) => sentence.match(/[\p{L}\d][\p{L}\d'’.-]*/gu) ?? [])
    .filter((words) => words.length > 2);

const found = (english: string, pattern: RegExp): readonly string[] => english.toLowerCase().match(pattern) ?? [];

function figuresOf(file: string) {
  const english = englishOf(readFileSync(file, 'utf8'));
  const sentences = sentencesOf(english);
  const words = sentences.flat().length;
  return {
    words,
    mean: (words / sentences.length).toFixed(1),
    'over 30, %': Math.round((sentences.filter(({ length }) => length > 30).length / sentences.length) * 100),
    'you per 1,000': Math.round((sentences.flat().filter((word) => YOU.test(word)).length / words) * 1000),
    'bare key': found(english, BARE_KEY).length,
    odd: ODD.flatMap((pattern) => found(english, pattern)).length,
  };
}

const chosen = process.argv.slice(2);
const files = chosen.length > 0 ? chosen : ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'AGENTS.md', ...guides()];
console.table(Object.fromEntries(files.map((file) => [file, figuresOf(file)])));
for (const file of chosen) {
  const english = englishOf(readFileSync(file, 'utf8')).replace(/\s+/g, ' ');
  for (const pattern of [...ODD, BARE_KEY]) {
    for (const { index } of english.matchAll(new RegExp(pattern, 'gi')))
      console.log(`${file}: … ${english.slice(Math.max(0, index - 50), index + 40)} …`);
  }
}
