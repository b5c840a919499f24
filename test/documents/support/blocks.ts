import { readdirSync, readFileSync } from 'node:fs';

/** A fenced code block of a document. */
export interface Block {
  /** Path from the root of the repository. */
  readonly document: string;
  /** Line of the document on which the code begins, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** Code of the comments `<!-- given … -->` before this block, for example a database of the reader. */
  readonly given: readonly string[];
}

const ROOT = new URL('../../../', import.meta.url);
const PART = /^```(?<language>\S*)\n(?<code>.*?)^```$|^<!-- given\n(?<given>.*?)^-->$/gms;

/** Every document whose blocks are run. A new one in `docs/` is found by itself. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'src/README.md',
  'src/sandbox/README.md',
  'src/inspector/README.md',
  ...readdirSync(new URL('docs', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function readDocument(document: string): string {
  return readFileSync(new URL(document, ROOT), 'utf8');
}

/** Returns the code blocks of a document. Throws if a fence is indented or not closed. */
export function blocksIn(document: string, text: string): Block[] {
  const given: string[] = [];
  const blocks = [...text.matchAll(PART)].flatMap(({ groups = {}, index }) => {
    if (groups['given'] !== undefined) {
      given.push(groups['given']);
      return [];
    }
    const line = text.slice(0, index).split('\n').length + 1;
    return [{ document, line, language: groups['language'] ?? '', code: groups['code'] ?? '', given: [...given] }];
  });
  const fences = text.match(/^\s*(```|~~~)/gm)?.length ?? 0;
  if (fences !== 2 * blocks.length) throw new Error(`${document} has a code block that is indented or not closed`);
  return blocks;
}

export const titleOf = ({ document, line }: Block): string => `${document}:${line}`;
