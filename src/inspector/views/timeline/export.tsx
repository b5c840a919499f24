import { useState } from 'preact/hooks';
import type { MessageBody, RequestDetails } from '../../../sandbox/drive/requests/details.js';
import type { SandboxHealth } from '../../../sandbox/drive/requests/watching.js';
import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { download } from '../../parts/actions/download.js';
import { read } from '../../wire/api.js';

/** Files by the name of their form. */
const FORMS = {
  HAR: {
    name: 'sandbox.har',
    type: 'application/json',
    write: (gathered: Gathered) => harOf(gathered, location.origin),
  },
  JSON: {
    name: 'sandbox-timeline.json',
    type: 'application/json',
    write: (gathered: Gathered) => JSON.stringify(gathered, null, 2),
  },
} as const;

/** Writes what is shown into a file: for a browser's tools, or for a program. */
export function Export({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const [said, setSaid] = useState('');
  const write = async (form: keyof typeof FORMS): Promise<void> => {
    const { name, type, write: textOf } = FORMS[form];
    setSaid('reading …');
    try {
      const gathered = await gather(entries, (done) => setSaid(`reading … ${done}`));
      download(name, type, textOf(gathered));
      setSaid(`${name} is written`);
    } catch (error) {
      setSaid((error as Error).message);
    }
  };
  return (
    <fieldset class="export">
      <legend class="hidden">Export what is shown</legend>
      {(Object.keys(FORMS) as (keyof typeof FORMS)[]).map((form) => (
        <button type="button" key={form} disabled={entries.length === 0} onClick={() => write(form)}>
          {form}
        </button>
      ))}
      <span role="status">{said}</span>
    </fieldset>
  );
}

/** A request with what was sent and answered, as far as the sandbox still has it. */
type ExportedRequest = Omit<RequestDetails, 'replays' | 'effects'>;

type Exported = Exclude<TimelineEntry, { kind: 'request' }> | ExportedRequest;

/** Contents of a file to write. */
interface Gathered {
  readonly sandbox: Pick<SandboxHealth, 'version' | 'seed' | 'now'>;
  /** Oldest first. */
  readonly entries: readonly Exported[];
}

/** Readings that are under way at once. */
const PARALLEL = 6;

/** Reads what was sent and answered of each request. */
async function gather(shown: readonly TimelineEntry[], onStep: (done: number) => void): Promise<Gathered> {
  const { version, seed, now } = await read<SandboxHealth>('health');
  const entries: Exported[] = [...shown].sort((one, other) => one.seq - other.seq);
  // The sandbox keeps the bodies of the newest: older ones need no reading.
  const wanted = entries.flatMap(({ kind }, index) => (kind === 'request' ? [index] : [])).slice(-KEPT_REQUESTS);
  let [next, done] = [0, 0];
  const readOn = async (): Promise<void> => {
    for (;;) {
      const index = wanted[next];
      next += 1;
      if (index === undefined) return;
      const entry = entries[index];
      if (entry !== undefined) entries[index] = await detailed(entry);
      done += 1;
      if (done % 50 === 0) onStep(done);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, readOn));
  return { sandbox: { version, seed, now }, entries };
}

/** As many as the sandbox keeps with their bodies. */
const KEPT_REQUESTS = 1_000;

async function detailed(entry: Exported): Promise<Exported> {
  // It may be forgotten by now.
  const details = await read<RequestDetails>(`journal/${entry.seq}`).catch(() => undefined);
  if (details === undefined) return entry;
  const { replays: _, effects: __, ...rest } = details;
  return rest;
}

/** Writes the requests as an HTTP archive, version 1.2. `origin` is where they went. */
function harOf({ sandbox, entries }: Gathered, origin: string): string {
  const log = {
    version: '1.2',
    creator: { name: 'partner-sandbox', version: sandbox.version },
    entries: entries.filter(isRequest).map((entry) => harEntryOf(entry, origin)),
  };
  return JSON.stringify({ log }, null, 2);
}

const isRequest = (entry: Exported): entry is ExportedRequest => entry.kind === 'request';

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
