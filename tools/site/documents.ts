/** The documents as they are in the repository, with links that work on the site. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, posix } from 'node:path';
import { PAGES, ROOT } from './paths.js';

/** `[text](target)`. */
const LINK = /(\]\()([^)\s]+)(\))/g;
/** They are copied; they have no page. */
const PICTURE = /\.(webp|png|svg)$/;
const COMMENT = /^<!--.*?-->\n?/gms;

const LANGUAGES: Readonly<Record<string, string>> = { '.rb': 'ruby', '.py': 'python', '.yaml': 'yaml', '.yml': 'yaml' };

/** A page that was made from a file of the repository. */
export interface DocumentPage {
  /** Path of the file in the repository, for example `docs/money/money.md`. */
  readonly source: string;
  /** Path of the page below the pages. */
  readonly path: string;
  readonly title: string;
  /** The text before its first heading of the second level, in one line. */
  readonly summary: string;
}

/** Returns the paths of all guides in the repository. */
export const guides = (): readonly string[] =>
  readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);

/** Writes the page of each document, and of each file that one of them links to. */
export function writeDocuments(operations: readonly string[]): readonly DocumentPage[] {
  const waiting = ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...guides()];
  const known = new Set(waiting);
  const pages: DocumentPage[] = [];
  for (const source of waiting) {
    const linked = (target: string): void => {
      if (known.has(target)) return;
      known.add(target);
      waiting.push(target);
    };
    const text = readFileSync(join(ROOT, source), 'utf8');
    const page = source.endsWith('.md') ? pageOfDocument(source, text, linked, operations) : pageOfCode(source, text);
    write(pathOf(source), page);
    pages.push({ source, path: pathOf(source), title: titleOf(page), summary: summaryOf(page) });
  }
  return pages;
}

/** Writes a page, by its path below the pages. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(join(PAGES, path)), { recursive: true });
  writeFileSync(join(PAGES, path), text);
}

function copy(file: string): void {
  mkdirSync(dirname(join(PAGES, file)), { recursive: true });
  copyFileSync(join(ROOT, file), join(PAGES, file));
}

/**
 * Returns the path of the page that shows a file of the repository. VitePress would take brackets
 * in it for a parameter.
 */
function pathOf(file: string): string {
  const source = file.replaceAll(/[[\]]/g, '');
  if (source === 'README.md') return 'index.md';
  if (basename(source) === 'README.md') return posix.join(dirname(source), 'index.md');
  return source.endsWith('.md') ? source : `${source}.md`;
}

function pageOfDocument(
  source: string,
  text: string,
  linked: (target: string) => void,
  operations: readonly string[],
): string {
  const here = pathOf(source);
  const relink = (target: string): string => {
    if (/^[a-z]+:|^#/.test(target)) return target;
    const [file = '', anchor] = target.split('#');
    const named = posix.join(dirname(source), file).replace(/\/$/, '');
    if (!existsSync(join(ROOT, named))) throw new Error(`${source} links to ${target}, which is not there`);
    const found = statSync(join(ROOT, named)).isDirectory() ? `${named}/README.md` : named;
    if (PICTURE.test(found)) copy(found);
    else linked(found);
    const path = posix.relative(posix.dirname(here), PICTURE.test(found) ? found : pathOf(found));
    return `${path.startsWith('.') ? path : `./${path}`}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  const relinked = outsideOfCode(text, (part) =>
    part
      .replace(COMMENT, '')
      .replace(LINK, (_, begin: string, target: string, end: string) => begin + relink(target) + end),
  );
  return source === 'docs/reference/operations.md' ? withOperationLinks(relinked, operations) : relinked;
}

/** Changes what is outside of fenced code. */
const outsideOfCode = (text: string, change: (part: string) => string): string =>
  text
    .split(/(^```.*?^```$)/gms)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('');

/** The calls of the table lead to the pages of their operations. */
function withOperationLinks(text: string, operations: readonly string[]): string {
  return text.replace(/^\| (`([\w.]+)\([^`]*\)`) \|/gm, (row, call: string, name: string) =>
    operations.includes(name) ? `| [${call}](../../operations/${name}.md) |` : row,
  );
}

function pageOfCode(source: string, text: string): string {
  const language = LANGUAGES[extname(source)] ?? (extname(source).slice(1) || 'text');
  return `---\naside: false\n---\n\n# ${source}\n\nAs it is in the package.\n\n\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`;
}

/** Returns the heading of a document. */
export const titleOf = (page: string): string => /^# (.+)$/m.exec(page)?.[1]?.replaceAll('`', '') ?? '';

/** Returns the first paragraph of a document, in one line and without links. */
export function summaryOf(page: string): string {
  const [intro = ''] = page.replace(/^# .+$/m, '').split(/^(?:## |```|\|)/m);
  const [paragraph = ''] = intro.trim().split(/\n{2,}/);
  return paragraph.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replace(/\s*\n\s*/g, ' ');
}
