import {
  getSettlementReport,
  listSettlementReports,
  type SettlementReportListParams,
} from '../../../resources/reports.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import { notFound } from '../../core/request/refusal.js';
import { momentOf } from '../shared/period.js';
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
    const facts = reportsOf(state).find(({ id }) => id === params.report_id);
    if (facts === undefined) throw notFound(getSettlementReport);
    return { data: { ...reportOf(state, facts), ...linkTo(state, origin, facts.id) } };
  }),
];
