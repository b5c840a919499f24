/** The order in which readers find the pages: by rooms. */
import { posix } from 'node:path';
import type { DocumentPage } from './documents.js';
import type { OperationPage } from './operations/write.js';
import { ENTRY_NAMES, type ReferencePage } from './reference.js';

export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}

/**
 * The rooms: folders of `docs`, with the order of their pages. A page that is not named stands last
 * in its room; a page without a room stands in the last group.
 */
const ROOMS: readonly (readonly [folder: string, title: string, names: readonly string[]])[] = [
  [
    'start',
    'Start',
    ['first-hour', 'concepts', 'configuration', 'frameworks', 'error-handlers', 'from-rest', 'bundling'],
  ],
  ['calls', 'Calls', ['errors-and-retries', 'lists', 'waiting', 'concurrency', 'connection-limits', 'shell']],
  ['money', 'Money', ['money', 'funding', 'trading', 'crash-safety', 'payouts-by-webhook', 'reconciliation']],
  ['webhooks', 'Webhooks', ['webhooks', 'webhooks-sql']],
  [
    'sandbox',
    'Sandbox and tests',
    ['sandbox', 'sandbox-behavior', 'sandbox-choices', 'sandbox-look', 'sandbox-trouble'],
  ],
  [
    'operate',
    'Operate',
    [
      'doctor',
      'troubleshooting',
      'several-processes',
      'workers-and-jobs',
      'serverless',
      'lambda',
      'logging',
      'redaction',
      'observability',
      'limits',
      'performance',
    ],
  ],
  ['reference', 'Reference', ['operations', 'questions', 'protocol', 'openapi', 'environment', 'threat-model']],
];
const ELSE = 'More';

/** Of the examples, the guides' sidebar has the first ones; the sidebar of the examples has all. */
const SHOWN_EXAMPLES = 8;
/**
 * The sidebar lists these kinds of an entry. Its types would be hundreds of links: the page of the
 * entry lists them.
 */
const LISTED_KINDS = ['functions', 'classes'];

const linkOf = (path: string): string => `/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')}`;

/** A room of the documents, with its first page first. */
interface DocumentGroup {
  readonly title: string;
  readonly pages: readonly DocumentPage[];
}

/** Returns the rooms in the order of `ROOMS`, and what has no room. */
export function documentGroups(pages: readonly DocumentPage[]): readonly DocumentGroup[] {
  const named = (...sources: readonly string[]): DocumentPage[] =>
    pages.filter(({ source }) => sources.includes(source));
  const rooms = ROOMS.map(([folder, title, names]) => {
    const own = pages.filter(({ source }) => posix.dirname(source) === `docs/${folder}`);
    return { title, pages: own.toSorted((a, b) => placeOf(a, names) - placeOf(b, names)) };
  });
  const others = pages.filter(({ source }) => posix.dirname(source) === 'docs');
  return [
    { title: 'partner-sdk', pages: named('README.md') },
    ...rooms,
    { title: ELSE, pages: [...others, ...named('CHANGELOG.md', 'SECURITY.md')] },
  ];
}

function placeOf({ source }: DocumentPage, names: readonly string[]): number {
  const name = posix.basename(source, '.md');
  const place = names.indexOf(name);
  return name === 'README' ? -1 : place < 0 ? names.length : place;
}

/** A room leads to its first page and lists the others. */
function sidebarOfGroup({ title, pages }: DocumentGroup): SidebarItem {
  const [first, ...others] = pages.map((page) => ({ text: page.title, link: linkOf(page.path) }));
  const isRoom = pages[0]?.path.endsWith('index.md') ?? false;
  if (!isRoom || first === undefined) return { text: title, items: first === undefined ? [] : [first, ...others] };
  return others.length === 0 ? { text: title, link: first.link } : { text: title, link: first.link, items: others };
}

/** Returns VitePress' sidebars: one of guides and operations, and one for each entry. */
export function sidebarsOf(
  documents: readonly DocumentPage[],
  operations: readonly OperationPage[],
  reference: readonly ReferencePage[],
): Readonly<Record<string, readonly SidebarItem[]>> {
  const guides = documentGroups(documents).map(sidebarOfGroup);
  const shown = documents.filter(({ source }) => source.startsWith('examples/'));
  const examples = {
    text: 'Examples',
    items: shown.map(({ source, path }) => ({ text: source.slice('examples/'.length), link: linkOf(path) })),
  };
  return {
    ...Object.fromEntries(ENTRY_NAMES.map((name) => [`/reference/${name}/`, referenceOf(name, reference)])),
    '/reference/': entries(),
    '/operations/': [
      { text: 'All operations', link: '/docs/reference/operations.html' },
      ...operationGroups(operations),
    ],
    '/examples/': [{ text: 'Guides', link: '/' }, examples],
    '/': [...guides, { text: 'Examples', items: examples.items.slice(0, SHOWN_EXAMPLES) }],
  };
}

/** Operations by the first name of their calls. */
function operationGroups(operations: readonly OperationPage[]): SidebarItem[] {
  const groups = [...new Set(operations.map(({ name }) => name.slice(0, name.indexOf('.'))))];
  return groups.map((group) => ({
    text: group,
    items: operations
      .filter(({ name }) => name.startsWith(`${group}.`))
      .map(({ name, path }) => ({ text: name.slice(group.length + 1), link: linkOf(path) })),
  }));
}

const entries = (): SidebarItem[] => [
  { text: 'Entries', items: ENTRY_NAMES.map((name) => ({ text: name, link: `/reference/${name}/` })) },
];

function referenceOf(entry: string, reference: readonly ReferencePage[]): SidebarItem[] {
  const own = reference.filter((page) => page.entry === entry);
  const groups = LISTED_KINDS.map((kind) => ({
    text: kind,
    items: own.filter((page) => page.kind === kind).map(({ name, path }) => ({ text: name, link: linkOf(path) })),
  }));
  return [...entries(), ...groups.filter(({ items }) => items.length > 0)];
}
