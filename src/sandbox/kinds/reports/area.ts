import {
  getSettlementReport,
  listSettlementReports,
  type SettlementReportListParams,
} from '../../../resources/reports.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import type { Area } from '../../core/kind/kind.js';
import { existing } from '../../core/request/refusal.js';
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

/** Settlement reports: a file for each day and each type of movement. */
export const reports: Area = {
  name: 'reports',
  operations: reportHandlers,
  choices: {
    'reports.settlement.list':
      'Has a report for each kind of movement and each day (UTC) that is over, of the last 366 days. The moment of a report is the beginning of its day. The kind `funding` has all movements that are not of the other kinds.',
    'reports.settlement.get':
      'Gives a link that is good for 15 minutes. The file is CSV with a head line; `size` is its length in bytes, as a string.',
  },
};
