import type { MessageBody } from '../../../../sandbox/drive/requests/details.js';
import type { TimelineEntry } from '../../../../sandbox/drive/timeline/entries.js';
import { momentOf, pretty, timeOf } from '../../../parts/values/format.js';
import { verdictOf } from '../../request/verdict.js';
import { summaryOf } from '../summary.js';
import type { ExportedRequest, Gathered } from './gather.js';
import { isRequest } from './har.js';

/** Rows of the table, and requests told in full: a ticket is read by people. */
const MAX_ROWS = 200;
const MAX_TOLD = 20;

/** Writes a text for a ticket: the course of events, and the requests that failed in full. */
export function markdownOf({ sandbox, entries }: Gathered): string {
  const failed = entries.filter(isRequest).filter(({ status = 0 }) => status < 200 || status > 299);
  const told = failed.slice(-MAX_TOLD);
  return [
    '# What happened in the sandbox',
    '',
    `partner-sandbox ${sandbox.version}, seed ${sandbox.seed}, at ${momentOf(sandbox.now)} by its clock.`,
    '',
    ...leftOut(entries.length, MAX_ROWS, 'entries'),
    '| time | entry | what | how it ended |',
    '|---|---|---|---|',
    ...entries.slice(-MAX_ROWS).map(rowOf),
    ...(told.length === 0 ? [] : ['', '## Requests that failed', '', ...leftOut(failed.length, MAX_TOLD, 'requests')]),
    ...told.flatMap(toldInFull),
    '',
  ].join('\n');
}

const leftOut = (count: number, most: number, what: string): string[] =>
  count > most ? [`The newest ${most} of ${count} ${what}.`, ''] : [];

function rowOf(entry: TimelineEntry): string {
  const { title, result = '', detail } = summaryOf(entry);
  const end = `${result} ${detail}`.trim();
  return `| ${[timeOf(entry.at), `${entry.kind} ${entry.seq}`, title, end].map(cellOf).join(' | ')} |`;
}

/** Text of strangers must not become markup, nor end its cell. */
const cellOf = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_[\]<>|~#&]/g, '\\$&');

function toldInFull(entry: ExportedRequest): string[] {
  const { seq, method, path, instance, real, causes, request, response } = entry;
  return [
    '',
    `### ${cellOf(`${method} ${path}`)}`,
    '',
    `${cellOf(verdictOf(entry))}`,
    '',
    `- entry ${seq}, ${momentOf(real)}${instance === undefined ? '' : `, instance ${cellOf(instance)}`}`,
    ...(entry.likely === undefined ? [] : [`- likely: ${cellOf(entry.likely)}`]),
    ...causes.map(({ field, message }) => `- ${cellOf(field)} ${cellOf(message)}`),
    ...blockOf('Sent', request?.headers, request?.body),
    ...blockOf('Answered', response?.headers, response?.body),
  ];
}

function blockOf(title: string, headers: Readonly<Record<string, string>> | undefined, body: MessageBody | undefined) {
  if (headers === undefined) return [];
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = body === undefined || body.bytes === 0 ? [] : ['', pretty(body.text ?? body.base64 ?? '')];
  const lines = [...head, ...text].join('\n');
  // Longer than any in the text: it cannot end the block.
  const fence = '`'.repeat(Math.max(3, ...[...lines.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return ['', `${title}:`, '', fence, lines, fence];
}
