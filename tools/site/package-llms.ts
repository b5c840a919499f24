/** `llms.txt` of the package: the list of its guides for language models, by their paths in it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guides, summaryOf, titleOf } from './documents.js';
import { type Listed, sectionOf } from './lists.js';
import { ROOT } from './paths.js';
import { documentGroups } from './sidebars.js';

const FILES: readonly Listed[] = [
  {
    title: 'All operations as OpenAPI 3.1',
    path: 'dist/openapi.json',
    summary: 'paths, parameters, bodies, answers, errors',
  },
  { title: 'Declarations', path: 'dist/index.d.ts', summary: 'types and methods, each method with an example' },
  {
    title: 'A payout job',
    path: 'examples/payouts/payout-job.ts',
    summary: 'one of the tested programs in the folder examples',
  },
];

const pages = ['README.md', ...guides(), 'CHANGELOG.md', 'SECURITY.md'].map((source) => {
  const text = readFileSync(join(ROOT, source), 'utf8');
  return { source, path: source, title: titleOf(text), summary: summaryOf(text) };
});

/** Returns the first two sentences, without the one that every page has. */
function beginOf(summary: string): string {
  const own = summary.replace(/Examples continue [^.]+\./, '');
  return (own.match(/.+?[.:](?= |$)/g) ?? []).slice(0, 2).join('').trim().replace(/:$/, '.');
}

const parts = [
  '# partner-sdk',
  ...pages.flatMap(({ source, summary }) => (source === 'README.md' ? [`> ${summary}`] : [])),
  'Paths are those of the package. Read [the rules for agents](docs/agents.md) first.',
  ...documentGroups(pages).map(({ title: room, pages: own }) =>
    sectionOf(
      room,
      own.map((page) => ({ ...page, summary: page.source.endsWith('README.md') ? '' : beginOf(page.summary) })),
    ),
  ),
  sectionOf('Files', FILES),
];
writeFileSync(join(ROOT, 'llms.txt'), `${parts.join('\n\n')}\n`);
