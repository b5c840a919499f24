import { nearestName } from '../../../util/did-you-mean.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { RESOURCE_KINDS } from '../../drive/look/kinds.js';

/** Type of a filter's value: text, an integer, or a list of texts separated by commas. */
export type FilterKind = 'text' | 'number' | 'list';

/** The filters of a member by their query parameters. */
type FilterTable = Readonly<Record<string, FilterKind>>;

export type Filter = Readonly<Record<string, unknown>>;

const JOURNAL_FILTERS: FilterTable = {
  ...{ after: 'number', before: 'number', limit: 'number', operation: 'text', verdict: 'text', status: 'number' },
  ...{ account: 'text', key: 'text', apiKey: 'text', instance: 'text', q: 'text' },
};

/** The filters of the members that accept some, by path. */
export const FILTERS: ReadonlyMap<string, FilterTable> = new Map<string, FilterTable>([
  ['journal', JOURNAL_FILTERS],
  ['requests', JOURNAL_FILTERS],
  ['idempotency', { key: 'text', limit: 'number', after: 'text' }],
  ...RESOURCE_KINDS.map((kind): [string, FilterTable] => [
    `resources/${kind}`,
    { account: 'text', status: 'text', q: 'text', limit: 'number', after: 'text' },
  ]),
  [
    'postings',
    {
      ...{ account: 'text', asset: 'text', cause: 'number' },
      ...{ reference: 'text', after: 'number', limit: 'number' },
    },
  ],
  ['clock/agenda', { account: 'text', limit: 'number' }],
  ['events', { after: 'number', kinds: 'list' }],
  [
    'webhooks/deliveries',
    { status: 'text', kind: 'text', webhookId: 'text', eventId: 'text', after: 'text', limit: 'number' },
  ],
  ['webhooks/deliverySummaries', { status: 'text', kind: 'text', webhookId: 'text', q: 'text', limit: 'number' }],
  ['inbox', { name: 'text', after: 'number', limit: 'number' }],
  ['inbox/url', { name: 'text' }],
]);

/**
 * Parses a query and passes it to `read`.
 *
 * @throws Error that lists the filters, for an unknown filter, and for a value that `read` refuses.
 */
export function readFilter<T>(path: string, query: string, read: (filter: Filter) => T): T {
  const table = FILTERS.get(path) ?? {};
  const names = Object.keys(table);
  const known = `filters: ${names.join(', ')}`;
  const filter: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (names.length === 0) throw new TypeError(`${path} takes no filter`);
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (kind === undefined)
      throw new TypeError(`${path}: there is no filter ${excerpt(name)}${hintAt(name, names)}; ${known}`);
    if (Object.hasOwn(filter, name)) throw new TypeError(`${path}: the filter ${name} is given twice`);
    filter[name] = valueIn(value, kind);
  }
  try {
    return read(filter);
  } catch (error) {
    if (names.length === 0 || !(error instanceof TypeError)) throw error;
    throw new TypeError(`${error.message}; ${known}`, { cause: error });
  }
}

function hintAt(name: string, names: readonly string[]): string {
  const meant = nearestName(name, names);
  return meant === undefined ? '' : `, did you mean ${meant}?`;
}

/** Text that is not a number stays text, so that the member refuses it. */
function valueIn(text: string, kind: FilterKind): unknown {
  if (kind === 'list') return text.split(',');
  return kind === 'number' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}
