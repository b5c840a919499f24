import type { KeyConflict } from '../../../sandbox/core/request/refusal-details.js';
import type { RequestDetails } from '../../../sandbox/drive/requests/details.js';
import { useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { linesOf } from './json-lines.js';

interface ConflictProps {
  readonly conflict: KeyConflict;
  readonly now: RequestDetails;
}

/** A request and the first one under its idempotency key, side by side. */
export function Conflict({ conflict: { first }, now }: ConflictProps) {
  const { data, problem } = useReading<RequestDetails>(first === undefined ? undefined : `journal/${first}`);
  return (
    <section class="conflict" aria-label="Difference from the first request with this key">
      <h3>Difference from the first request with this key</h3>
      {first === undefined && <p class="hint">The first request came before this run of the sandbox.</p>}
      {problem !== undefined && <p class="hint">The first request is not kept any more: {problem}</p>}
      {data !== undefined && <SideBySide first={data} now={now} />}
    </section>
  );
}

function SideBySide({ first, now }: { readonly first: RequestDetails; readonly now: RequestDetails }) {
  const [before, after] = [partsOf(first), partsOf(now)];
  const all = [...new Set([...before.keys(), ...after.keys()])];
  const isSame = (name: string): boolean => before.get(name) === after.get(name);
  // The bytes count, not the values: spaces and the order of members make another request, too.
  const isInBytes = all.every((name) => name === BYTES || isSame(name));
  const names = isInBytes ? all : all.filter((name) => name !== BYTES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <section class="table" aria-label="Side by side" tabIndex={0}>
      <table class="sides">
        <thead>
          <tr>
            <th scope="col">part</th>
            <th scope="col">
              <a href={hrefOf('timeline', first.seq)}>first request, entry {first.seq}</a>
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

const BYTES = 'body as it was sent';

/** Rows beyond these are left out: such a body is read as a whole. */
const MAX_PARTS = 300;

/** Method, path, and each value of the body by its name. A body that is not JSON is one part. */
function partsOf({ method, path, request }: RequestDetails): Map<string, string> {
  const parts = new Map([
    ['method', method],
    ['path', path],
  ]);
  const text = request?.body?.text ?? request?.body?.base64;
  if (text === undefined) return parts.set('body', '(not kept)');
  const lines = linesOf(text) ?? [];
  for (const { path: member, text: line } of lines.slice(0, MAX_PARTS)) {
    if (member === undefined || /[[{],?$/.test(line)) continue;
    const value = member === '' ? line : line.trimStart().replace(/^"[^"\\]*(?:\\.[^"\\]*)*": /, '');
    parts.set(`body ${member}`.trim(), value.replace(/,$/, ''));
  }
  return parts.set(BYTES, text);
}
