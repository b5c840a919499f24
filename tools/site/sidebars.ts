/** The order in which readers find the pages: by their tasks. */
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
 * The documents by task, by the beginnings of their names. A document belongs where the longest
 * beginning stands, so one that is new finds its place beside its like. A document without a place
 * stands in the last group.
 */
const TASKS: readonly (readonly [task: string, names: readonly string[]])[] = [
  ['Begin', ['configuration', 'operations', 'lists', 'money', 'errors-and-retries', 'agents']],
  ['Move money', ['funding', 'crash-safety', 'replay', 'reconciliation', 'webhooks']],
  ['Test', ['testing', 'sandbox']],
  ['Run it', ['shell', 'doctor', 'concurrency', 'serverless', 'limits', 'logging', 'observability', 'performance']],
  ['At home', ['frameworks', 'recipes', 'runtimes', 'edge', 'bundling']],
  ['Other languages', ['protocol', 'openapi']],
  ['Trust', ['threat-model', 'versions']],
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

/** Groups of documents, with their pages in the order of `TASKS`. */
export function documentGroups(
  pages: readonly DocumentPage[],
): readonly { readonly task: string; readonly pages: readonly DocumentPage[] }[] {
  const guides = pages.filter(({ source }) => source.startsWith('docs/'));
  const placed = guides.map((page) => ({ page, place: placeOf(nameOf(page)) }));
  const named = (source: string): DocumentPage[] => pages.filter((page) => page.source === source);
  const groups = [...TASKS.map(([task]) => task), ELSE].map((task) => ({
    task,
    pages: [
      ...(task === 'Begin' ? named('README.md') : []),
      ...placed
        .filter(({ place }) => place.task === task)
        .toSorted((a, b) => a.place.order - b.place.order || (nameOf(a.page) < nameOf(b.page) ? -1 : 1))
        .map(({ page }) => page),
      ...(task === 'Trust' ? [...named('CHANGELOG.md'), ...named('SECURITY.md')] : []),
    ],
  }));
  return groups.filter(({ pages: own }) => own.length > 0);
}

const nameOf = ({ source }: DocumentPage): string => posix.basename(source, '.md');

function placeOf(name: string): { task: string; order: number } {
  const beginnings = TASKS.flatMap(([task, names]) => names.map((beginning, order) => ({ task, beginning, order })));
  const found = beginnings
    .filter(({ beginning }) => name.startsWith(beginning))
    .toSorted((a, b) => b.beginning.length - a.beginning.length)[0];
  return found ?? { task: ELSE, order: 0 };
}

/** Returns VitePress' sidebars: one of guides and operations, and one for each entry. */
export function sidebarsOf(
  documents: readonly DocumentPage[],
  operations: readonly OperationPage[],
  reference: readonly ReferencePage[],
): Readonly<Record<string, readonly SidebarItem[]>> {
  const guides = documentGroups(documents).map(({ task, pages }) => ({
    text: task,
    items: pages.map(({ path, title }) => ({ text: path === 'index.md' ? 'Overview' : title, link: linkOf(path) })),
  }));
  const shown = documents.filter(({ source }) => source.startsWith('examples/'));
  const examples = {
    text: 'Examples',
    items: shown.map(({ source, path }) => ({ text: source.slice('examples/'.length), link: linkOf(path) })),
  };
  return {
    ...Object.fromEntries(ENTRY_NAMES.map((name) => [`/reference/${name}/`, referenceOf(name, reference)])),
    '/reference/': entries(),
    '/operations/': [{ text: 'All operations', link: '/docs/operations.html' }, ...operationGroups(operations)],
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
