/**
 * Checks the built site. Every link leads to a page, file or heading of it. No page loads anything
 * from elsewhere. No name in braces was taken for an attribute.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { SITE } from './paths.js';

const LINK = /<a\b[^>]*?\bhref="([^"]*)"/g;
const LOADED = /<(?:script|img|iframe|link|source)\b[^>]*?\b(?:src|href)="([^"]*)"/g;
const ICONS = /<link\b[^>]*?\brel="icon"[^>]*?\bhref="([^"]*)"/g;
const SHOWN = /<img\b[^>]*?\bsrc="([^"]*)"/g;
/** An attribute that no element has: a name in braces, `{user_id}`, that the site lost. */
const EATEN = /<[a-z]\w* (?:[^>]*? )?([a-z]+(?:_[a-z]+)+)=""/g;
const ID = /\bid="([^"]*)"/g;
const OUTSIDE = /^(?:(?!data:)[a-z]+:|\/\/)/;

/** Returns the counts of pages and links. Throws with the list of the links that lead nowhere. */
export function checkSite(): { readonly pages: number; readonly links: number } {
  const base = process.env['DOCS_BASE'] ?? '/';
  const pages = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'));
  const texts = new Map(pages.map((path) => [path, readFileSync(join(SITE, path), 'utf8')]));
  const ids = new Map([...texts].map(([path, text]) => [path, new Set(allIn(text, ID))]));
  const dead: string[] = [];
  let links = 0;
  for (const [page, text] of texts) {
    for (const name of allIn(text, EATEN)) dead.push(`${page} does not show {${name}}`);
    for (const loaded of allIn(text, LOADED)) if (OUTSIDE.test(loaded)) dead.push(`${page} loads ${loaded}`);
    const icons = allIn(text, ICONS);
    if (icons.length === 0 || icons.some((icon) => fileOf(page, icon, base) === undefined))
      dead.push(`${page} has no icon`);
    for (const shown of allIn(text, SHOWN)) {
      const isThere = /\.(webp|png|svg)$/.test(shown) && fileOf(page, decodeURI(shown), base) !== undefined;
      if (!isThere && !shown.startsWith('data:')) dead.push(`${page} shows ${shown}, which is no picture`);
    }
    for (const link of new Set(allIn(text, LINK))) {
      if (OUTSIDE.test(link)) continue;
      links++;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : fileOf(page, decodeURI(file), base);
      if (target === undefined) dead.push(`${page} links to ${link}, which is not there`);
      else if (anchor && !ids.get(target)?.has(decodeURIComponent(anchor)))
        dead.push(`${page} links to ${link}, where no heading is called so`);
    }
  }
  if (dead.length > 0) throw new Error(`links that lead nowhere, and texts that are not shown:\n${dead.join('\n')}`);
  return { pages: pages.length, links };
}

const allIn = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found.replaceAll('&amp;', '&'));

function fileOf(page: string, link: string, base: string): string | undefined {
  const path = link.startsWith(base) ? link.slice(base.length) : posix.join(dirname(page), link);
  const file = path === '' || path.endsWith('/') || path === '.' ? posix.join(path, 'index.html') : path;
  return existsSync(join(SITE, file)) && statSync(join(SITE, file)).isFile() ? file : undefined;
}
