import { Code, type MarkedLine } from '../../../parts/code.js';
import { linesOf } from '../../../parts/json-lines.js';
import type { MessageBody, RequestDetails } from '../../../wire/sandbox.js';
import { markedHeaders, markedLines, markedTarget, placesOf } from './marks.js';

const WAYS = {
  whole: undefined,
  half: 'The connection was broken in the middle of the body.',
  slowly: 'The body was sent byte by byte.',
} as const;

/** What the service sent back. */
export function ResponseBody({ response, warnings = [] }: RequestDetails) {
  if (response === undefined) return <p class="hint">There was no response.</p>;
  return (
    <>
      {WAYS[response.sent] !== undefined && <p class="hint">{WAYS[response.sent]}</p>}
      <Body label="Body of the response" body={response.body} />
      {warnings.length > 0 && (
        <ul aria-label="Probably mistakes">
          {warnings.map(({ field, message }) => (
            <li key={`${field} ${message}`} class="tone-warn">
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The request as it was sent. The broken rules stand beside the members that break them. */
export function RequestBody({ method, path, causes, request }: RequestDetails) {
  const body = request?.body;
  const lines = linesIn(body);
  const places = placesOf(causes, path, lines);
  return (
    <>
      <Code label="Path and query" text={path} lines={markedTarget(method, path, places.target)} />
      {request === undefined && (
        <p class="hint">Headers and body are not kept: only the newest 1,000 requests have them.</p>
      )}
      {request !== undefined && body === undefined && <p class="hint">Its body did not arrive as a whole.</p>}
      <Body label="Body of the request" body={body} lines={lines && markedLines(lines, places.body)} />
    </>
  );
}

/** The headers of both. */
export function Headers({ path, causes, request, response }: RequestDetails) {
  const { headers } = placesOf(causes, path, linesIn(request?.body));
  return (
    <>
      {request === undefined ? (
        <p class="hint">The headers are not kept: only the newest 1,000 requests have them.</p>
      ) : (
        <HeaderList label="Headers of the request" lines={markedHeaders(request.headers, headers)} />
      )}
      {response !== undefined && (
        <HeaderList label="Headers of the response" lines={markedHeaders(response.headers, [])} />
      )}
    </>
  );
}

const HeaderList = ({ label, lines }: { readonly label: string; readonly lines: readonly MarkedLine[] }) => (
  <>
    <h3>{label}</h3>
    <Code label={label} text={lines.map(({ text }) => text).join('\n')} lines={lines} />
  </>
);

const linesIn = (body: MessageBody | undefined) =>
  body?.text === undefined || body.bytes === 0 ? undefined : linesOf(body.text);

interface BodyProps {
  readonly label: string;
  readonly body: MessageBody | undefined;
  readonly lines?: readonly MarkedLine[] | undefined;
}

function Body({ label, body, lines }: BodyProps) {
  if (body === undefined) return null;
  if (body.bytes === 0) return <p class="hint">No body.</p>;
  return (
    <>
      {body.text === undefined && <p class="hint">{body.bytes} bytes that are not text, as base64:</p>}
      <Code label={label} text={body.text ?? body.base64 ?? ''} lines={lines} />
      {body.isCut && <p class="hint">The first part of {body.bytes} bytes.</p>}
    </>
  );
}
