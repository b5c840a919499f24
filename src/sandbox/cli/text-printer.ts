import type { JournalEntry } from 'partner-sdk/sandbox';
import { printable } from '../../util/printable.js';
import { VERSION } from '../../version.js';
import type { Color, Paint } from './color.js';
import type { Listening, Printer } from './printer.js';
import { shellWord, word } from './text.js';

/** Widths of the columns: those of the longest usual texts. */
const OPERATION = 36;
const VERDICT = 16;
const MS = 7;
const NONCE = 19;

/** The longest path that `--verbose` shows in full. */
const LONGEST_PATH = 1000;

/** How many broken rules of one request are shown. */
const CAUSES = 3;

/** Lines for people, and at the beginning for a shell. */
export function textPrinter({ verbose, paint }: { verbose: boolean; paint: Paint }): Printer {
  return {
    listening: (facts) => announcement(facts).join('\n'),
    request(entry) {
      const { at, status, nonce = '-', key = '-', ms, method, path } = entry;
      const line = row(paint, at, nameOf(entry), status, verdictOf(entry), ms);
      const ids = `nonce ${word(nonce).padEnd(NONCE)}  key ${word(key)}`;
      const target = verbose ? `  ${word(method)} ${word(path, LONGEST_PATH)}` : '';
      return `${line}  ${paint('dim', ids)}${target}${causesOf(entry)}`;
    },
    delivery({ eventId, type, status: verdict, attempts }, { at, status, url, error, ms }) {
      const line = row(paint, at, `webhook ${word(type)}`, status, verdict, ms);
      const why = error === undefined ? '' : `  ${printable(error)}`;
      return `${line}  ${paint('dim', `attempt ${attempts.length}  ${word(eventId)}  ${word(url)}`)}${why}`;
    },
    control({ at, method, status, problem }) {
      const line = `${paint('dim', timeOf(at))}  ${`control ${method}`.padEnd(OPERATION)} ${paint(colorOf(status), `${status}`)}`;
      return problem === undefined ? line : `${line}  ${printable(problem)}`;
    },
    closed: (reason) => `# ended: ${reason}`,
  };
}

/** May be given to a shell as it is. */
function announcement({ url, isPublic, credentials, fixtures, webhook, state }: Listening): string[] {
  return [
    `# partner-sandbox ${VERSION} listens on ${url} (Ctrl-C ends it)`,
    ...(isPublic ? ['# Other machines reach it, too, and whoever reaches it controls it.'] : []),
    ...(state === undefined ? [] : [`# It is saved in ${word(state)}.`]),
    exportOf('PARTNER_BASE_URL', url),
    exportOf('PARTNER_API_KEY', credentials.apiKey),
    exportOf('PARTNER_API_SECRET', credentials.apiSecret),
    ...(webhook === undefined ? [] : [exportOf('PARTNER_WEBHOOK_SECRET', webhook.signing_secret)]),
    ...Object.entries(fixtures).map(([name, value]) => `# ${word(name)} ${printable(String(value))}`),
    '# All of these last but the quote, which has expired 30 s after it was made: POST …/quotes makes another.',
  ];
}

function exportOf(name: string, value: string): string {
  return `export ${name}=${shellWord(value)}`;
}

/** The columns that requests and deliveries have in common. */
function row(paint: Paint, at: number, what: string, status: number | undefined, verdict: string, ms: number): string {
  const result = `${status ?? '---'} ${word(verdict).padEnd(VERDICT)}`;
  const took = `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
  return `${paint('dim', timeOf(at))}  ${what.padEnd(OPERATION)} ${paint(colorOf(status), result)} ${took.padStart(MS + 3)}`;
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(11);

function nameOf({ operation, method, path }: JournalEntry): string {
  return operation ?? `${word(method)} ${word(path, OPERATION)}`;
}

function verdictOf({ verdict, fault }: JournalEntry): string {
  return fault === undefined ? verdict : `${verdict}:${fault}`;
}

/** What is wrong with a refused request, for who wrote the program that sent it. */
function causesOf({ causes }: JournalEntry): string {
  const shown = causes.slice(0, CAUSES).map(({ field, message }) => `  ${word(field)}: ${printable(message)}`);
  return shown.join(';') + (causes.length > CAUSES ? `; ${causes.length - CAUSES} more` : '');
}

function colorOf(status = 0): Color {
  if (status >= 200 && status <= 299) return 'green';
  return status >= 400 && status <= 499 ? 'yellow' : 'red';
}
