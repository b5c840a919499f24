/** Searches the index of the built site as its page does. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SITE } from '../../tools/site/paths.js';
import { SEARCH, WORDS } from '../../tools/site/search.js';

/** What readers searched for, with the page that must be found first. */
const SEARCHES: Readonly<Record<string, string>> = {
  lambda: 'docs/operate/serverless.html',
  proxy: 'docs/start/configuration.html',
  idempotency: 'docs/calls/errors-and-retries.html',
  kill: 'docs/money/crash-safety.html',
  cents: 'docs/money/money.html',
  '401': 'docs/operate/doctor.html',
  // The readings.
  '429': 'docs/calls/errors-and-retries.html',
  BigInt: 'docs/money/money.html',
  Express: 'docs/start/frameworks.html',
  'fake timers': 'docs/sandbox/testing.html',
  fees: 'docs/money/funding.html',
  HTTPS_PROXY: 'docs/start/configuration.html',
  KYC: 'docs/calls/waiting.html',
  MSW: 'docs/sandbox/testing-msw.html',
  nonce: 'docs/calls/concurrency.html',
  page_size: 'docs/calls/lists.html',
  pino: 'docs/operate/logging.html',
  reconciliation: 'docs/money/reconciliation.html',
  Redis: 'docs/operate/several-processes.html',
  SIGKILL: 'docs/money/crash-safety.html',
  'source maps': 'docs/calls/errors-and-retries.html',
  toArray: 'docs/calls/lists.html',
  'travel rule': 'docs/reference/questions.html',
  'user-agent': 'docs/start/configuration.html',
  // Other words of those who look for a way.
  'clock skew': 'docs/operate/doctor.html',
  ConflictError: 'reference/partner-sdk/classes/ConflictError.html',
  'accounts.quotes.execute': 'operations/accounts.quotes.execute.html',
  replay: 'docs/webhooks/webhooks.html',
  shell: 'docs/calls/shell.html',
  SQLite: 'docs/webhooks/webhooks-sql.html',
  'users.get': 'operations/users.get.html',
};

const INDEX = /^@localSearchIndexroot\..*\.js$/;

/** Returns what was searched. */
export async function checkSearches(): Promise<string> {
  const pages = Object.keys(WORDS);
  assert.deepEqual(
    pages.filter((page) => !existsSync(join(SITE, page))),
    [],
    'words lead to pages that are not there',
  );
  const index = await loadIndex();
  const wrong = Object.entries(SEARCHES).flatMap(([words, wanted]) => {
    const found = index.search(words).slice(0, 3);
    const ids = found.map(({ id }) => String(id));
    return ids[0]?.split('#')[0] === `/${wanted}` ? [] : [`${words} finds ${ids.join(' ')}, not ${wanted}`];
  });
  assert.deepEqual(wrong, []);
  return `${Object.keys(SEARCHES).length} searches find their page first`;
}

/** The part of MiniSearch, a package of VitePress, that is used here. */
interface Index {
  search(words: string): readonly { readonly id: unknown }[];
}

/** Loads the index with the options that the page has, of which VitePress gives the first ones. */
async function loadIndex(): Promise<Index> {
  const ofVitepress = createRequire(createRequire(import.meta.url).resolve('vitepress/package.json'));
  const MiniSearch = ofVitepress('minisearch') as { loadJSON(json: string, options: object): Index };
  const chunks = join(SITE, 'assets/chunks');
  const file = readdirSync(chunks).find((name) => INDEX.test(name));
  if (file === undefined) throw new Error('the site has no index');
  const source = readFileSync(join(chunks, file), 'utf8');
  const { default: json } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { default: string };
  return MiniSearch.loadJSON(json, {
    ...{ fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] },
    searchOptions: { prefix: true, ...SEARCH.miniSearch.searchOptions },
    ...SEARCH.miniSearch.options,
  });
}
