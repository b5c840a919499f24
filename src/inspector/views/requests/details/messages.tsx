import type { ComponentChildren } from 'preact';
import type { MessageBody, RequestDetails, SentAnswer } from '../../../../sandbox/drive/requests/details.js';
import { linesOf } from '../../../parts/json-lines.js';
import { type MarkedLine, markedHeaders, markedLines, markedTarget, placesOf } from './marks.js';

/** The request as it was sent. The broken rules stand beside the members that break them. */
export function Sent({ method, path, causes, request }: RequestDetails) {
  const body = request?.body;
  const lines = body?.text === undefined || body.bytes === 0 ? undefined : linesOf(body.text);
  const places = placesOf(causes, path, lines);
  return (
    <section>
      <h3>Request</h3>
      <MarkedText label="Path and query" lines={markedTarget(method, path, places.target)} />
      {request === undefined ? (
        <p class="hint">Head and body are not kept: only the newest 1,000 requests have them.</p>
      ) : (
        <Headers label="Headers of the request" lines={markedHeaders(request.headers, places.headers)} />
      )}
      {lines === undefined ? (
        <Body label="Body of the request" body={body} />
      ) : (
        <MarkedText label="Body of the request" lines={markedLines(lines, places.body)} />
      )}
      {request !== undefined && body === undefined && <p class="hint">Its body did not arrive as a whole.</p>}
    </section>
  );
}

const WAYS = {
  whole: undefined,
  half: 'The connection was broken in the middle of the body.',
  slowly: 'The body was sent byte by byte.',
} as const;

/** The answer. */
export function Answered({ status, headers, body, sent }: SentAnswer) {
  const head = Object.entries(headers).map(([name, value]) => ({ text: `${name}: ${value}`, reasons: [] }));
  return (
    <section>
      <h3>Answer {status}</h3>
      {WAYS[sent] !== undefined && <p class="hint">{WAYS[sent]}</p>}
      <Headers label="Headers of the answer" lines={head} />
      <Body label="Body of the answer" body={body} />
    </section>
  );
}

interface HeadersProps {
  readonly label: string;
  readonly lines: readonly MarkedLine[];
}

/** Headers are folded, unless one breaks a rule. */
function Headers({ label, lines }: HeadersProps) {
  return (
    <details open={lines.some(({ reasons }) => reasons.length > 0)}>
      <summary>{lines.length} headers</summary>
      <MarkedText label={label} lines={lines} />
    </details>
  );
}

function Body({ label, body }: { readonly label: string; readonly body: MessageBody | undefined }) {
  if (body === undefined) return null;
  if (body.bytes === 0) return <p class="hint">No body.</p>;
  const { text } = body;
  const lines = text === undefined ? undefined : linesOf(text);
  const shown = lines?.map((line) => line.text).join('\n') ?? text ?? body.base64;
  return (
    <>
      {text === undefined && <p class="hint">{body.bytes} bytes that are not text, as base64:</p>}
      <MarkedText label={label} lines={[{ text: shown ?? '', reasons: [] }]} />
      {body.isCut && <p class="hint">The first part of {body.bytes} bytes.</p>}
    </>
  );
}

/**
 * Text of which some lines break rules. Only these are elements: a body may have thousands of
 * lines.
 */
function MarkedText({ label, lines }: { readonly label: string; readonly lines: readonly MarkedLine[] }) {
  const parts: ComponentChildren[] = [];
  let plain = '';
  for (const [index, { text, reasons }] of lines.entries()) {
    const isLast = index === lines.length - 1;
    if (reasons.length === 0) {
      plain += isLast ? text : `${text}\n`;
      continue;
    }
    const bare = text.trimStart();
    parts.push(
      plain + text.slice(0, text.length - bare.length),
      <mark key={index} class="broken">
        <span class="wrong">{bare}</span>
        <span class="reason">{`  ← broken rule: ${reasons.join('; ')}`}</span>
      </mark>,
      isLast ? '' : '\n',
    );
    plain = '';
  }
  return (
    <section aria-label={label}>
      <pre>
        {parts}
        {plain}
      </pre>
    </section>
  );
}
