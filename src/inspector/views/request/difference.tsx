import type { MessageBody, RequestDetails } from '../../../sandbox/drive/requests/details.js';
import { useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { linesOf } from './json-lines.js';

interface DifferenceProps {
  /** `seq` of the other request. Undefined: it came before this run of the sandbox. */
  readonly other: number | undefined;
  /** Its name, for example `first request with this key`. */
  readonly name: string;
  readonly now: RequestDetails;
  /** True if headers and answers are compared, too. */
  readonly isWhole?: boolean;
}

/** A request beside another one: that which had its idempotency key first, or a pinned one. */
export function Difference({ other, name, now, isWhole = false }: DifferenceProps) {
  const { data, problem } = useReading<RequestDetails>(other === undefined ? undefined : `journal/${other}`);
  const title = `Difference from the ${name}`;
  return (
    <section class="conflict" aria-label={title}>
      <h3>{title}</h3>
      {other === undefined && <p class="hint">It came before this run of the sandbox.</p>}
      {problem !== undefined && <p class="hint">It is not kept any more: {problem}</p>}
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
  partsOf(details: RequestDetails): ReadonlyMap<string, string>;
}

function SideBySide({ first, now, firstName, partsOf }: SideBySideProps) {
  const [before, after] = [partsOf(first), partsOf(now)];
  const all = [...new Set([...before.keys(), ...after.keys()])];
  const isSame = (name: string): boolean => before.get(name) === after.get(name);
  // The bytes count, not the values: spaces and the order of members make another request, too.
  const isInBytes = all.every((name) => name.endsWith(BYTES) || isSame(name));
  const names = isInBytes ? all : all.filter((name) => !name.endsWith(BYTES));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <section class="table" aria-label="Side by side" tabIndex={0}>
      <table class="sides">
        <thead>
          <tr>
            <th scope="col">part</th>
            <th scope="col">
              <a href={hrefOf('timeline', first.seq)}>
                {firstName}, entry {first.seq}
              </a>
            </th>
            <th scope="col">this request, entry {now.seq}</th>
            <th scope="col">is</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const differs = !isSame(name);
            return (
              <tr key={name} class={differs ? 'marked' : undefined}>
                <th scope="row">{name}</th>
                <td>{before.get(name) ?? '(absent)'}</td>
                <td>{after.get(name) ?? '(absent)'}</td>
                <td>{differs ? <strong>different</strong> : 'the same'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const BYTES = ' as it was sent';

/** Rows beyond these are left out: such a body is read as a whole. */
const MAX_PARTS = 300;

/** Method, path, and each value of the body by its name. A body that is not JSON is one part. */
function partsOf({ method, path, request }: RequestDetails): Map<string, string> {
  const parts = new Map([
    ['method', method],
    ['path', path],
  ]);
  return addBody(parts, 'body', request?.body);
}

/** Those, and the headers with the signature, and the answer. */
function allPartsOf(details: RequestDetails): Map<string, string> {
  const { request, response, status } = details;
  const parts = partsOf(details);
  for (const [name, value] of Object.entries(request?.headers ?? {})) parts.set(`header ${name}`, value);
  parts.set('answer', String(status ?? 'none'));
  for (const [name, value] of Object.entries(response?.headers ?? {})) parts.set(`answer header ${name}`, value);
  return response === undefined ? parts : addBody(parts, 'answer body', response.body);
}

function addBody(parts: Map<string, string>, name: string, body: MessageBody | undefined): Map<string, string> {
  const text = body?.text ?? body?.base64;
  if (text === undefined) return parts.set(name, '(not kept)');
  for (const { path: member, text: line } of (linesOf(text) ?? []).slice(0, MAX_PARTS)) {
    if (member === undefined || /[[{],?$/.test(line)) continue;
    const value = member === '' ? line : line.trimStart().replace(/^"[^"\\]*(?:\\.[^"\\]*)*": /, '');
    parts.set(`${name} ${member}`.trim(), value.replace(/,$/, ''));
  }
  return parts.set(`${name}${BYTES}`, text);
}
