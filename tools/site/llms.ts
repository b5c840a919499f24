/** `llms.txt`: the list of all pages for language models. `llms-full.txt`: all guides. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentPage } from './documents.js';
import { type Listed, sectionOf } from './lists.js';
import type { OperationPage } from './operations/write.js';
import { PAGES, SITE } from './paths.js';
import { ENTRY_NAMES } from './reference.js';
import { documentGroups } from './sidebars.js';

/** Puts both files, and each page as Markdown, beside the site's pages. */
export function writeForModels(documents: readonly DocumentPage[], operations: readonly OperationPage[]): void {
  cpSync(PAGES, SITE, { recursive: true, filter: (path) => !/\.[a-z]+$/.test(path) || path.endsWith('.md') });
  const [home] = documents;
  const groups = documentGroups(documents);
  const parts = [
    '# partner-sdk',
    `> ${home?.summary ?? ''}`,
    'Each page is there as Markdown under the address that is given here, and as HTML with `.html` in place of `.md`.',
    ...groups.map(({ title, pages }) => siteSection(title, pages)),
    siteSection(
      'Operations',
      operations.map(({ name, title, path }) => ({ title: name, path, summary: title })),
    ),
    siteSection(
      'Reference',
      ENTRY_NAMES.map((name) => ({ title: name, path: `reference/${name}/index.md`, summary: '' })),
    ),
  ];
  writeFileSync(join(SITE, 'llms.txt'), `${parts.join('\n\n')}\n`);
  const full = groups.flatMap(({ pages }) => pages.filter(({ source }) => source !== 'CHANGELOG.md'));
  const texts = full.map(({ path }) => readFileSync(join(PAGES, path), 'utf8').trim());
  writeFileSync(join(SITE, 'llms-full.txt'), `${texts.join('\n\n---\n\n')}\n`);
}

/** Paths begin at the root of the site. */
const siteSection = (title: string, pages: readonly Listed[]): string =>
  sectionOf(
    title,
    pages.map((page) => ({ ...page, path: `/${page.path}` })),
  );
