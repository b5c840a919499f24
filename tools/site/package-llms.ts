/** `llms.txt` of the package: the list of its guides for language models, by their paths in it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summaryOf, titleOf } from './documents.js';
import { ROOT } from './paths.js';
import { documentGroups } from './sidebars.js';

const FILES = [
  ['All operations as OpenAPI 3.1', 'dist/openapi.json', 'paths, parameters, bodies, answers, errors'],
  ['Declarations', 'dist/index.d.ts', 'types and methods, each method with an example'],
  ['A payout job', 'examples/payouts/payout-job.ts', 'one of the tested programs in the folder examples'],
] as const;

const guides = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

const pages = ['README.md', ...guides, 'CHANGELOG.md', 'SECURITY.md'].map((source) => {
  const text = readFileSync(join(ROOT, source), 'utf8');
  return { source, path: source, title: titleOf(text), summary: summaryOf(text) };
});

/** Returns the first two sentences, without the one that every page has. */
function beginOf(summary: string): string {
  const own = summary.replace(/The examples go on from [^.]+\./, '');
  return (own.match(/.+?[.:](?= |$)/g) ?? []).slice(0, 2).join('').trim().replace(/:$/, '.');
}

const lineOf = (title: string, path: string, summary: string): string =>
  `- [${title}](${path})${summary === '' ? '' : `: ${summary}`}`;

const parts = [
  '# partner-sdk',
  ...pages.flatMap(({ source, summary }) => (source === 'README.md' ? [`> ${summary}`] : [])),
  'Paths are those of the package. Read [the rules for agents](docs/agents.md) first.',
  ...documentGroups(pages).map(({ title: room, pages: own }) => {
    const lines = own.map(({ title, path, source, summary }) =>
      lineOf(title, path, source.endsWith('README.md') ? '' : beginOf(summary)),
    );
    return [`## ${room}`, '', ...lines].join('\n');
  }),
  ['## Files', '', ...FILES.map(([title, path, summary]) => lineOf(title, path, summary))].join('\n'),
];
writeFileSync(join(ROOT, 'llms.txt'), `${parts.join('\n\n')}\n`);
