// Not imported by name: Node 18 has no `styleText`, and would fail before its version is checked.
import util from 'node:util';
import type {
  ControlCall,
  Delivery,
  DeliveryAttempt,
  JournalEntry,
  RegisteredWebhook,
  SandboxCredentials,
  SandboxFixtures,
} from 'partner-sdk/sandbox';
import { printable } from '../../../util/printable.js';
import { VERSION } from '../../../version.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { shellWord, word } from './text.js';

/** Facts that a user needs to use the sandbox that has just started. */
interface Listening {
  readonly url: string;
  /** URL of the page. Undefined: the page is not served. */
  readonly inspector: string;
  /** True if programs on other machines can reach it. */
  readonly isPublic: boolean;
  readonly credentials: SandboxCredentials;
  readonly fixtures: SandboxFixtures;
  readonly webhook: RegisteredWebhook | undefined;
  /** Name of the state file. */
  readonly state: string | undefined;
  /** One sentence about the fixtures that expire. */
  readonly fixtureExpiry: string;
}

/** Format of the output. Each method returns complete lines. */
interface Printer {
  listening(facts: Listening): string;
  request(entry: JournalEntry): string;
  delivery(delivery: Delivery, attempt: DeliveryAttempt): string;
  control(call: ControlCall): string;
  closed(reason: string): string;
}

/** Prints one JSON object per line; `event` is its type. */
export const jsonPrinter: Printer = {
  listening: ({ isPublic: _, fixtureExpiry: __, ...facts }) => jsonLine({ event: 'listening', ...facts }),
  request: (entry) => jsonLine({ event: 'request', ...entry }),
  delivery: ({ body: _, cause: __, attempts, ...delivery }, attempt) =>
    jsonLine({ event: 'delivery', ...delivery, attempt: { number: attempts.length, ...attempt } }),
  control: (call) => jsonLine({ event: 'control', ...call }),
  closed: (reason) => jsonLine({ event: 'closed', reason }),
};

function jsonLine(value: object): string {
  return printable(JSON.stringify(value));
}

/** Widths of the columns in characters; a longer text moves the next column. */
const OPERATION_WIDTH = 36;
const VERDICT_WIDTH = 16;
const MS_WIDTH = 7;
const NONCE_WIDTH = 19;

/** Maximum length of a path that `--verbose` prints, in characters; a longer one is cut. */
const MAX_PATH_LENGTH = 1000;

/** Maximum number of broken rules printed for a request; the rest are only counted. */
const MAX_CAUSES = 3;

/** Prints lines for people; the first lines are for a shell. */
export function textPrinter({ verbose }: { verbose: boolean }): Printer {
  return {
    listening: (facts) => announcement(facts).join('\n'),
    request(entry) {
      const { at, status, nonce = '-', key = '-', ms, method, path } = entry;
      const line = row(at, nameOf(entry), status, verdictOf(entry), ms);
      const ids = `nonce ${word(nonce).padEnd(NONCE_WIDTH)}  key ${word(key)}`;
      const target = verbose ? `  ${word(method)} ${word(path, MAX_PATH_LENGTH)}` : '';
      return `${line}  ${paint('dim', ids)}${target}${causesOf(entry)}`;
    },
    delivery({ eventId, type, status: verdict, attempts }, { at, status, url, error, ms }) {
      const line = row(at, `webhook ${word(type)}`, status, verdict, ms);
      const why = error === undefined ? '' : `  ${printable(excerpt(error))}`;
      return `${line}  ${paint('dim', `attempt ${attempts.length}  ${word(eventId)}  ${word(url)}`)}${why}`;
    },
    control({ at, method, status, problem }) {
      const line = `${timeOf(at)}  ${`control ${method}`.padEnd(OPERATION_WIDTH)} ${paint(colorOf(status), `${status}`)}`;
      return problem === undefined ? line : `${line}  ${printable(problem)}`;
    },
    closed: (reason) => `# stopped: ${reason}`,
  };
}

/** Returns lines that a shell can evaluate. */
function announcement({ url, inspector, isPublic, ...facts }: Listening): string[] {
  const { credentials, fixtures, webhook, state, fixtureExpiry } = facts;
  return [
    `# partner-sandbox ${VERSION} listens on ${url} (press Ctrl-C to stop it)`,
    ...(isPublic ? ['# Other machines can reach it, and everyone who can reach it controls it.'] : []),
    `# inspector ${inspector}`,
    ...(state === undefined ? [] : [`# Its state is saved in ${word(state)}.`]),
    exportOf('PARTNER_BASE_URL', url),
    exportOf('PARTNER_API_KEY', credentials.apiKey),
    exportOf('PARTNER_API_SECRET', credentials.apiSecret),
    // For `partner-sandbox ctl`.
    exportOf('PARTNER_SANDBOX_URL', url),
    ...(webhook === undefined ? [] : [exportOf('PARTNER_WEBHOOK_SECRET', webhook.signing_secret)]),
    ...Object.entries(fixtures).map(([name, value]) => `# ${word(name)} ${printable(String(value))}`),
    `# ${fixtureExpiry}`,
  ];
}

function exportOf(name: string, value: string): string {
  return `export ${name}=${shellWord(value)}`;
}

function row(at: number, what: string, status: number | undefined, verdict: string, ms: number): string {
  const result = `${status ?? '---'} ${word(verdict).padEnd(VERDICT_WIDTH)}`;
  const took = `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
  return `${timeOf(at)}  ${what.padEnd(OPERATION_WIDTH)} ${paint(colorOf(status), result)} ${took.padStart(MS_WIDTH + 3)}`;
}

const timeOf = (at: number): string => paint('dim', new Date(at).toISOString().slice(11));

function nameOf({ operation, method, path }: JournalEntry): string {
  return operation ?? `${word(method)} ${word(path, OPERATION_WIDTH)}`;
}

function verdictOf({ verdict, fault }: JournalEntry): string {
  return fault === undefined ? verdict : `${verdict}:${fault}`;
}

/** Returns the rules that a rejected request breaks, and probable mistakes. */
function causesOf({ causes: broken, warnings = [] }: JournalEntry): string {
  const causes = [...broken, ...warnings];
  const shown = causes.slice(0, MAX_CAUSES).map(({ field, message }) => `  ${word(field)}: ${printable(message)}`);
  return shown.join(';') + (causes.length > MAX_CAUSES ? `; ${causes.length - MAX_CAUSES} more` : '');
}

type Color = 'red' | 'green' | 'yellow' | 'dim';

function colorOf(status = 0): Color {
  if (status >= 200 && status <= 299) return 'green';
  return status >= 400 && status <= 499 ? 'yellow' : 'red';
}

/** Colours a text if stdout is a terminal. NO_COLOR and FORCE_COLOR have priority. */
function paint(color: Color, text: string): string {
  return util.styleText(color, text, { stream: process.stdout });
}
