import { useReading } from '../../../parts/hooks.js';
import { linesOf } from '../../../parts/json-lines.js';
import { Table } from '../../../parts/table.js';
import { hrefHere } from '../../../wire/address.js';
import type { MessageBody, RequestDetails } from '../../../wire/sandbox.js';

interface DifferenceProps {
  /** `seq` of the other request. Undefined: it came before this run of the sandbox. */
  readonly other: number | undefined;
  /** Its name, for example `first request with this key`. */
  readonly name: string;
  readonly now: RequestDetails;
  /** True if headers and responses are compared, too. */
  readonly isWhole?: boolean;
}

/** A request beside the first with the same idempotency key, or one that the reader chose. */
export function Difference({ other, name, now, isWhole = false }: DifferenceProps) {
  const { data, problem } = useReading<RequestDetails>(other === undefined ? undefined : `journal/${other}`);
  const title = `Difference from the ${name}`;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {other === undefined && <p class="hint">It came before this run of the sandbox.</p>}
      {problem !== undefined && <p class="hint">The sandbox has dropped this request: {problem}</p>}
      {data !== undefined && (
        <SideBySide first={data} now={now} firstName={name} partsOf={isWhole ? allPartsOf : partsOf} />
      )}
    </section>
  );
}

interface SideBySideProps {
  readonly first: RequestDetails;
  readonly now: RequestDetails;
  readonly firstName: string;
  partsOf(details: RequestDetails, hasBodies: boolean): ReadonlyMap<string, string>;
}

/** Parts that differ, with a count of the others. What one of the two has lost is not compared. */
function SideBySide({ first, now, firstName, partsOf }: SideBySideProps) {
  const dropped = [first, now].filter(({ request }) => request === undefined);
  const hasBodies = dropped.length === 0;
  const [before, after] = [partsOf(first, hasBodies), partsOf(now, hasBodies)];
  const all = [...new Set([...before.keys(), ...after.keys()])];
  const isSame = (name: string): boolean => before.get(name) === after.get(name);
  // The bytes count, not the values: spaces and the order of members make another request, too.
  const isInBytes = all.every((name) => name.endsWith(BYTES) || isSame(name));
  const known = isInBytes ? all : all.filter((name) => !name.endsWith(BYTES));
  const different = known.filter((name) => !isSame(name));
  const ordered = [
    ...different.filter((name) => !EVER_NEW.test(name)),
    ...different.filter((name) => EVER_NEW.test(name)),
  ];
  return (
    <>
      {dropped.map(({ seq }) => (
        <p key={seq} class="hint">
          Not compared: the headers and bodies of entry {seq} were dropped. Only the newest 1,000 requests keep them.
        </p>
      ))}
      <Table
        caption={`Side by side with the ${firstName}`}
        rows={ordered}
        keyOf={(name) => name}
        empty="No part is different."
        columns={[
          { title: 'part', cell: (name) => name },
          {
            title: (
              <a href={hrefHere(first.seq)}>
                {firstName}, entry {first.seq}
              </a>
            ),
            cell: (name) => <code>{before.get(name) ?? '(absent)'}</code>,
          },
          { title: `this request, entry ${now.seq}`, cell: (name) => <code>{after.get(name) ?? '(absent)'}</code> },
        ]}
      />
      <p class="hint">The other {known.length - different.length} parts are the same.</p>
    </>
  );
}

/** What differs between any two requests says the least: it comes last. */
const EVER_NEW = /^header api-(nonce|sign)$|^response header date$|instance$/;

const BYTES = ' as it was sent';

/** Rows beyond these are left out: such a body is read as a whole. */
const MAX_PARTS = 300;

/** Method, path, and each value of the body by its name. A body that is not JSON is one part. */
function partsOf({ method, path, request }: RequestDetails, hasBodies: boolean): Map<string, string> {
  const parts = new Map([
    ['method', method],
    ['path', path],
  ]);
  return hasBodies ? addBody(parts, 'body', request?.body) : parts;
}

/** Those, and the headers with the signature, and the response. */
function allPartsOf(details: RequestDetails, hasBodies: boolean): Map<string, string> {
  const { request, response, status } = details;
  const parts = partsOf(details, hasBodies).set('response', String(status ?? 'none'));
  if (!hasBodies) return parts;
  for (const [name, value] of Object.entries(request?.headers ?? {})) parts.set(`header ${name}`, value);
  for (const [name, value] of Object.entries(response?.headers ?? {})) parts.set(`response header ${name}`, value);
  return response === undefined ? parts : addBody(parts, 'response body', response.body);
}

function addBody(parts: Map<string, string>, name: string, body: MessageBody | undefined): Map<string, string> {
  const text = body?.text ?? body?.base64;
  if (text === undefined) return parts.set(name, '(incomplete)');
  for (const { path: member, text: line } of (linesOf(text) ?? []).slice(0, MAX_PARTS)) {
    if (member === undefined || /[[{],?$/.test(line)) continue;
    const value = member === '' ? line : line.trimStart().replace(/^"[^"\\]*(?:\\.[^"\\]*)*": /, '');
    parts.set(`${name} ${member}`.trim(), value.replace(/,$/, ''));
  }
  return parts.set(`${name}${BYTES}`, text);
}
