import { Code } from '../../../parts/code.js';
import type { MessageBody, RequestDetails } from '../../../wire/sandbox.js';
import { RequestFacts } from './facts.js';
import { markedParts } from './marks.js';

/** What each part of the details is about. */
export interface TabProps {
  readonly details: RequestDetails;
}

const WAYS = {
  whole: undefined,
  half: 'The connection was broken in the middle of the body.',
  slowly: 'The body was sent byte by byte.',
} as const;

const NOT_KEPT = <p class="hint">Headers and body are not kept: only the newest 1,000 requests have them.</p>;

/** What the service sent back. */
export function ResponseTab({ details: { response, warnings = [] } }: TabProps) {
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
export function RequestTab({ details }: TabProps) {
  const { path, request } = details;
  const { target, body } = markedParts(details);
  return (
    <>
      <Code label="Path and query" text={path} lines={target} />
      {request === undefined ? NOT_KEPT : <Body label="Body of the request" body={request.body} lines={body} />}
      <RequestFacts of={details} />
    </>
  );
}

/** The headers of both. */
export function HeadersTab({ details }: TabProps) {
  const { request, response } = details;
  const { headers } = markedParts(details);
  return (
    <>
      {request === undefined ? (
        NOT_KEPT
      ) : (
        <>
          <h3>Headers of the request</h3>
          <Code label="Headers of the request" text={textOf(request.headers)} lines={headers} />
        </>
      )}
      {response !== undefined && (
        <>
          <h3>Headers of the response</h3>
          <Code label="Headers of the response" text={textOf(response.headers)} />
        </>
      )}
      <RequestFacts of={details} />
    </>
  );
}

const textOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

interface BodyProps extends Omit<Parameters<typeof Code>[0], 'text'> {
  readonly body: MessageBody | undefined;
}

function Body({ body, ...code }: BodyProps) {
  if (body === undefined) return <p class="hint">Its body did not arrive as a whole.</p>;
  if (body.bytes === 0) return <p class="hint">No body.</p>;
  return (
    <>
      {body.text === undefined && <p class="hint">{body.bytes} bytes that are not text, as base64:</p>}
      <Code {...code} text={body.text ?? body.base64 ?? ''} />
      {body.isCut && <p class="hint">The first part of {body.bytes} bytes.</p>}
    </>
  );
}
