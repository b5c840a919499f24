import type { MessageBody } from '../../../../sandbox/drive/requests/details.js';
import type { Exported, ExportedRequest, Gathered } from './gather.js';

/** Writes the requests as an HTTP archive, version 1.2. `origin` is where they went. */
export function harOf({ sandbox, entries }: Gathered, origin: string): string {
  const log = {
    version: '1.2',
    creator: { name: 'partner-sandbox', version: sandbox.version },
    entries: entries.filter(isRequest).map((entry) => harEntryOf(entry, origin)),
  };
  return JSON.stringify({ log }, null, 2);
}

export const isRequest = (entry: Exported): entry is ExportedRequest => entry.kind === 'request';

/** The sandbox does not know which version of HTTP a request came by. */
const HTTP_VERSION = 'unknown';

function harEntryOf(
  { method, path, real, ms, latency, status, verdict, request, response }: ExportedRequest,
  origin: string,
) {
  const sent = headersOf(request?.headers);
  const answered = headersOf(response?.headers);
  const body = request?.body;
  return {
    startedDateTime: new Date(real).toISOString(),
    time: ms,
    request: {
      method,
      url: origin + path,
      httpVersion: HTTP_VERSION,
      cookies: [],
      headers: sent,
      queryString: queryOf(path),
      ...(body === undefined || body.bytes === 0
        ? {}
        : { postData: { mimeType: request?.headers['content-type'] ?? '', text: textOf(body), ...cutOf(body) } }),
      headersSize: -1,
      bodySize: body?.bytes ?? -1,
    },
    response: {
      // By the format, 0 is a request without an answer.
      status: status ?? 0,
      statusText: '',
      httpVersion: HTTP_VERSION,
      cookies: [],
      headers: answered,
      content: contentOf(response?.headers, response?.body),
      redirectURL: response?.headers['location'] ?? '',
      headersSize: -1,
      bodySize: response?.body.bytes ?? -1,
    },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, send: 0, wait: ms, receive: 0, ssl: -1 },
    comment: latency > 0 ? `${verdict}; held back for ${latency} ms` : verdict,
  };
}

type Headers = Readonly<Record<string, string>> | undefined;

const headersOf = (headers: Headers = {}) => Object.entries(headers).map(([name, value]) => ({ name, value }));

const queryOf = (path: string) =>
  [...new URLSearchParams(path.split('?')[1] ?? '')].map(([name, value]) => ({ name, value }));

function contentOf(headers: Headers, body: MessageBody | undefined) {
  const mimeType = headers?.['content-type'] ?? '';
  if (body === undefined) return { size: 0, mimeType };
  const encoding = body.text === undefined ? { encoding: 'base64' } : {};
  return { size: body.bytes, mimeType, text: textOf(body), ...encoding, ...cutOf(body) };
}

const textOf = ({ text, base64 = '' }: MessageBody): string => text ?? base64;

const cutOf = ({ isCut, bytes }: MessageBody) => (isCut ? { comment: `the first part of ${bytes} bytes` } : {});
