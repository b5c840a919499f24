import type { ApiPromise, ListOptions, PagedList, UnkeyedRequestOptions } from '../call/caller.js';
import * as s from '../schema/schema.js';
import * as z from '../schema/zod.js';
import type { PageParams } from './common.js';
import { defineList, defineOperation } from './define-operation.js';
import { Resource } from './resource.js';

/** Kind of a settlement report. The set is open. */
export type SettlementReportType = 'swaps' | 'price_trigger_swaps' | 'earn_rewards' | (string & {});

/** A settlement report: a file about one day. */
export interface SettlementReport {
  /** UUID. */
  id: string;
  /** The day that the report covers. */
  date?: string | undefined;
  type?: SettlementReportType | undefined;
  /** Size of the file in bytes. The service sends it as a string. */
  size?: number | undefined;
  /** Name of the file. */
  name?: string | undefined;
}

/** A settlement report and the link to its file. */
export interface SettlementReportDownload extends SettlementReport {
  /** Address of the file. Whoever has it can read the file, so keep it out of logs. */
  download_url?: string | undefined;
  /** When the link expires. ISO 8601, UTC. */
  expires_at?: string | undefined;
}

/** Filters and page of the list of settlement reports. */
export interface SettlementReportListParams extends PageParams {
  /** RFC 3339 date-time, inclusive, for example `2026-01-15T00:00:00Z`. */
  start_date?: string | undefined;
  /** RFC 3339 date-time, inclusive, for example `2026-01-15T23:59:59Z`. */
  end_date?: string | undefined;
  /** Only these kinds. Default: all. */
  report_type?: readonly SettlementReportType[] | undefined;
}

const reportMembers = () => ({
  id: z.string(),
  date: s.optionalText(),
  type: s.optionalText(),
  size: z.optional(s.integerText()),
  name: s.optionalText(),
});

const report = s.output<SettlementReport>()(() => z.looseObject(reportMembers()));

const reportDownload = s.output<SettlementReportDownload>()(() =>
  z.looseObject({
    ...reportMembers(),
    download_url: s.optionalText(),
    expires_at: s.optionalText(),
  }),
);

export const listSettlementReports = defineList('reports.settlement.list', 'GET /v1/reports/settlement', {
  query: s.input<SettlementReportListParams>()(() =>
    z.object({
      start_date: s.optionalText(),
      end_date: s.optionalText(),
      report_type: z.optional(s.readonlyList(z.array(z.string()))),
      ...s.paging(),
    }),
  ),
  answer: s.page(report),
});

export const getSettlementReport = defineOperation('reports.settlement.get', 'GET /v1/reports/settlement/{report_id}', {
  answer: s.data(reportDownload),
  correlation: [{ member: ['id'], param: 'report_id' }],
});

/** `client.reports.settlement`: files about the movements of a day, for reconciliation. */
export class SettlementReports extends Resource {
  /**
   * Lists the settlement reports of the partner.
   *
   * @example
   * for await (const { id, name } of client.reports.settlement.list({ report_type: ['swaps'] })) {
   *   console.log(id, name);
   * }
   *
   * @stability documented
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: SettlementReportListParams, options?: ListOptions): PagedList<SettlementReport> {
    return this.api.list(listSettlementReports, [params], options);
  }

  /**
   * Reads one settlement report, with the link to its file. The file is not part of the API: fetch
   * `download_url` before `expires_at`.
   *
   * @example
   * const { download_url, expires_at } = await client.reports.settlement.get(reportId);
   * // The link expires: fetch it now, and do not store it.
   * console.log(download_url, expires_at);
   *
   * @stability documented
   * @param reportId At least one character.
   * @throws NotFoundError, and the errors of every call.
   */
  get(reportId: string, options?: UnkeyedRequestOptions): ApiPromise<SettlementReportDownload> {
    return this.api.call(getSettlementReport, [reportId], options);
  }
}

/** `client.reports`: reports of the partner. */
export class Reports extends Resource {
  readonly settlement = new SettlementReports(this.api);
}
