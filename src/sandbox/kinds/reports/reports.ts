import * as z from 'zod/mini';
import {
  getSettlementReport,
  listSettlementReports,
  type SettlementReportListParams,
} from '../../../resources/reports.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import { badRequest, notFound } from '../../core/request/refusal.js';
import { linkTo } from './downloads.js';
import { type ReportFacts, reportOf, reportsOf } from './settlement-reports.js';

/** Newest first. New reports are added at the front, and the oldest are removed. */
const order = {
  position: ({ date, type }: ReportFacts): string => `${date} ${type}`,
  isAfter: ({ date, type }: ReportFacts, position: string): boolean => {
    const [lastDate = '', lastType = ''] = position.split(' ');
    return date < lastDate || (date === lastDate && type > lastType);
  },
};

export const reportHandlers: readonly Handler[] = [
  handle<unknown, SettlementReportListParams>(listSettlementReports, (state, { query }) => {
    const { start_date: start, end_date: end, report_type: types = [] } = query;
    const first = momentOf('start_date', start) ?? Number.NEGATIVE_INFINITY;
    const last = momentOf('end_date', end) ?? Number.POSITIVE_INFINITY;
    const items = reportsOf(state).filter(
      ({ date, type }) =>
        Date.parse(date) >= first && Date.parse(date) <= last && (types.length === 0 || types.includes(type)),
    );
    const scope = [listSettlementReports.name, start, end, types];
    const page = state.pager.page({ scope, items, ...order }, query);
    return { ...page, data: page.data.map((facts) => reportOf(state, facts)) };
  }),
  handle<{ readonly report_id: string }>(getSettlementReport, (state, { params, origin }) => {
    const facts = reportsOf(state).find(({ id }) => id === params.report_id);
    if (facts === undefined) throw notFound(getSettlementReport);
    return { data: { ...reportOf(state, facts), ...linkTo(state, origin, facts.id) } };
  }),
];

const dateTime = z.iso.datetime({ offset: true });

function momentOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (z.safeParse(dateTime, text).success) return Date.parse(text);
  throw badRequest({ field, message: 'must be a date-time, for example 2026-01-15T00:00:00Z' });
}
