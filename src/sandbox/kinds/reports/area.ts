import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  getSettlementReport,
  listSettlementReports,
  type SettlementReportListParams,
} from '../../../resources/reports.js';
import { timestamp } from '../../core/clock/clock.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import type { Area } from '../../core/kind/kind.js';
import type { State } from '../../core/records/state.js';
import type { HttpAnswer, RequestHead } from '../../core/request/messages.js';
import { existing, forbidden } from '../../core/request/refusal.js';
import { momentOf } from '../shared/period.js';
import { fileOf, nameOf, type ReportFacts, reportOf, reportsOf } from './settlement-reports.js';

/** Newest first. New reports are added at the front, and the oldest are removed. */
const order = {
  position: ({ date, type }: ReportFacts): string => `${date} ${type}`,
  isAfter: ({ date, type }: ReportFacts, position: string): boolean => {
    const [lastDate = '', lastType = ''] = position.split(' ');
    return date < lastDate || (date === lastDate && type > lastType);
  },
};

const reportHandlers: readonly Handler[] = [
  handle<unknown, SettlementReportListParams>(listSettlementReports, (state, { query }) => {
    const { report_type: types = [] } = query;
    const start = momentOf('start_date', query.start_date) ?? -Infinity;
    const end = momentOf('end_date', query.end_date) ?? Infinity;
    const items = reportsOf(state).filter(({ date, type }) => {
      const moment = Date.parse(date);
      return start <= moment && moment <= end && (types.length === 0 || types.includes(type));
    });
    const scope = [listSettlementReports.name, start, end, types];
    const page = state.pager.page({ scope, items, ...order }, query);
    return { ...page, data: page.data.map((facts) => reportOf(state, facts)) };
  }),
  handle<{ readonly report_id: string }>(getSettlementReport, (state, { params, origin }) => {
    const facts = existing(
      getSettlementReport,
      reportsOf(state).find(({ id }) => id === params.report_id),
    );
    return { data: { ...reportOf(state, facts), ...linkTo(state, origin, facts.id) } };
  }),
];

/** Time in ms for which a link is valid. */
const LINK_MS = 15 * 60_000;

const PATH = '/downloads/settlement/';

/** Returns a link to the file of a report. It needs no API key. */
function linkTo({ clock, downloadSecret }: State, origin: string, id: string) {
  const until = clock.now() + LINK_MS;
  const query = new URLSearchParams({ expires: String(until), signature: signatureOf(downloadSecret, id, until) });
  return { download_url: `${origin}${PATH}${id}?${query}`, expires_at: timestamp(until) };
}

export const isDownload = ({ method, target }: Pick<RequestHead, 'method' | 'target'>): boolean =>
  method === 'GET' && target.startsWith(PATH);

/** Returns a file, or throws 403 or 404. */
export function download(state: State, { target }: RequestHead): HttpAnswer {
  const { pathname, searchParams } = new URL(target, 'http://sandbox');
  const id = pathname.slice(PATH.length);
  const until = Number(searchParams.get('expires'));
  const [expected, given] = [signatureOf(state.downloadSecret, id, until), searchParams.get('signature') ?? ''];
  if (!isSame(expected, given)) throw forbidden({ field: 'signature', message: 'is not that of this link' });
  if (until < state.clock.now())
    throw forbidden({ field: 'expires', message: 'has passed: request the report again for a new link' });
  const report = existing(
    getSettlementReport,
    reportsOf(state).find((one) => one.id === id),
  );
  const disposition = `attachment; filename="${nameOf(report)}"`;
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': disposition };
  return { status: 200, headers, body: fileOf(state, report) };
}

function signatureOf(secret: Uint8Array, id: string, until: number): string {
  return createHmac('sha256', secret).update(`${id} ${until}`).digest('base64url');
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Settlement reports: a file for each day and each type of movement. */
export const reports: Area = {
  name: 'reports',
  operations: reportHandlers,
  choices: {
    'reports.settlement.list':
      'Lists one report for each kind of movement and each completed day (UTC) of the last 366 days. The time of a report is the beginning of its day. The kind `funding` contains all movements that belong to no other kind.',
    'reports.settlement.get':
      'Returns a link that is valid for 15 minutes. The file is CSV with a header line; `size` is its length in bytes, as a string.',
  },
};
