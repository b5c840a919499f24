/**
 * The search of the site: VitePress writes the index with these options, and the page reads it with
 * them.
 */
import type { DefaultTheme } from 'vitepress';

/** Pages, with words of readers for what a page calls otherwise or names in passing. */
export const WORDS: Readonly<Record<string, string>> = {
  'docs/calls/concurrency.html': 'nonce nonces parallel',
  'docs/calls/errors-and-retries.html':
    '409 429 503 retry retries idempotency timeout rate limit source maps too many requests',
  'docs/calls/lists.html': 'toArray page_size pagination next page',
  'docs/calls/shell.html': 'shell bash terminal command line cli',
  'docs/calls/waiting.html': 'waitFor poll KYC required_actions verification',
  'docs/money/crash-safety.html': 'kill killed SIGKILL SIGTERM crash restart',
  'docs/money/funding.html': 'fee fees',
  'docs/money/money.html': 'cents minor units float bigint decimal rounding',
  'docs/operate/doctor.html': '401 unauthorized unauthenticated clock skew',
  'docs/operate/logging.html': 'pino winston',
  'docs/operate/several-processes.html': 'Redis cluster',
  'docs/operate/serverless.html': 'Lambda serverless Vercel Cloud Run cold start',
  'docs/reference/environment.html': 'env dotenv process.env',
  'docs/reference/questions.html': 'go live production checklist travel rule rate limits OTP rotation',
  'docs/sandbox/testing-msw.html': 'MSW',
  'docs/sandbox/testing.html': 'fake timers',
  'docs/start/concepts.html': 'glossary terminology object model',
  'docs/start/configuration.html': 'proxy HTTPS_PROXY HTTP_PROXY user-agent appInfo',
  'docs/webhooks/webhooks-sql.html': 'SQLite PostgreSQL',
};

/** Returns the words of a page for its first section, which has its title. */
function wordsOf({ id, titles }: Section): string {
  const [page = ''] = id.split('#');
  const found = Object.keys(WORDS).find((path) => page.endsWith(`/${path}`));
  return found === undefined || titles.length > 0 ? '' : (WORDS[found] ?? '');
}

/** A part of a page, under a heading. */
interface Section {
  readonly id: string;
  /** Headings above its own. */
  readonly titles: readonly string[];
}

type Options = Required<Pick<DefaultTheme.LocalSearchOptions, '_render'>>;
type OfMiniSearch = Required<NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>>;

/** VitePress gives `fields` on to MiniSearch, too. */
const INDEX: OfMiniSearch['options'] & { readonly fields: string[] } = {
  fields: ['title', 'titles', 'text', 'words'],
  extractField: (section, field) => (field === 'words' ? wordsOf(section) : section[field]),
  // A dotted name is found as a whole, and by its parts.
  tokenize: (text) => {
    const words = text.split(/[\n\r\p{Z}\p{P}]+/u);
    return [...words, ...(text.match(/\w+(?:\.\w+)+/g) ?? [])].filter((word) => word !== '');
  },
};

const RANKING: OfMiniSearch['searchOptions'] = {
  boost: { title: 6, titles: 1, text: 1, words: 20 },
  combineWith: 'AND',
  // A status such as 429 is not nearly 409.
  fuzzy: (term: string) => (/\d/.test(term) ? false : 0.2),
  // Guides explain; examples only use.
  boostDocument: (id) => (/^\/docs\//.test(id) ? 2 : /^\/examples\//.test(id) ? 0.5 : 1),
};

export const SEARCH: Options & { readonly miniSearch: { options: typeof INDEX; searchOptions: typeof RANKING } } = {
  // A page of the reference is found once, not once for each of its headings.
  _render: (text, env, md) => {
    const html = md.render(text, env);
    return /^(reference|operations)\//.test(env.relativePath) ? html.replace(/<(\/?)h[2-6]\b/g, '<$1p') : html;
  },
  miniSearch: { options: INDEX, searchOptions: RANKING },
};
