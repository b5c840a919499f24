import { createHmac, timingSafeEqual } from 'node:crypto';
import { getSettlementReport } from '../../../resources/reports.js';
import { timestamp } from '../../core/clock/clock.js';
import type { State } from '../../core/records/state.js';
import type { HttpAnswer, RequestHead } from '../../core/request/messages.js';
import { existing, forbidden } from '../../core/request/refusal.js';
import { fileOf, nameOf, reportsOf } from './settlement-reports.js';

/** Time in ms for which a link is valid. */
const LINK_MS = 15 * 60_000;

const PATH = '/downloads/settlement/';

/** Returns a link to the file of a report. It needs no API key. */
export function linkTo({ clock, downloadSecret }: State, origin: string, id: string) {
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
  if (until < state.clock.now()) throw forbidden({ field: 'expires', message: 'is over: ask for the report again' });
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
