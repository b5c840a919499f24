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
    checkDate('start_date', start);
    checkDate('end_date', end);
    const items = reportsOf(state).filter(
      ({ date, type }) =>
        date >= (start ?? date) && date <= (end ?? date) && (types.length === 0 || types.includes(type)),
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

const dateText = z.iso.date();

function checkDate(field: string, text: string | undefined): void {
  if (text === undefined || z.safeParse(dateText, text).success) return;
  throw badRequest({ field, message: 'must be a date, for example 2026-01-15' });
}
