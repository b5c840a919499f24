import { useReading } from '../../../parts/hooks.js';
import { linesOf } from '../../../parts/json-lines.js';
import { Table } from '../../../parts/table.js';
import { addressed, hrefHere } from '../../../wire/address.js';
import type { JournalEntry, MessageBody, RequestDetails } from '../../../wire/sandbox.js';
import type { TabProps } from './messages.js';

/** The `seq` of the request with which an open one is compared. */
export const compared = addressed('with');

/**
 * Another request beside this one: that which the reader chose, or the first with its idempotency
 * key.
 */
export function otherOf({ seq, conflict }: JournalEntry) {
  const chosen = Number(compared.value);
  if (compared.value !== '' && chosen !== seq) return { other: chosen, name: 'compared request', isWhole: true };
  return conflict && { other: conflict.first, name: 'first request with this idempotency key', isWhole: false };
}

/** The parts in which a request differs from another. */
export function DifferenceTab({ details }: TabProps) {
  const { other, name = '', isWhole = false } = otherOf(details) ?? {};
  const { data, problem } = useReading<RequestDetails>(other === undefined ? undefined : `journal/${other}`);
  const title = `Difference from the ${name}`;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {other === undefined && <p class="hint">It came before this run of the sandbox.</p>}
      {problem !== undefined && <p class="hint">The sandbox has dropped this request: {problem}</p>}
      {data !== undefined && <SideBySide first={data} now={details} firstName={name} isWhole={isWhole} />}
    </section>
  );
}

interface SideBySideProps {
  readonly first: RequestDetails;
  readonly now: RequestDetails;
  readonly firstName: string;
  /** True if headers and responses are compared, too. */
  readonly isWhole: boolean;
}

/** Parts that differ, with a count of the others. What one of the two has lost is not compared. */
function SideBySide({ first, now, firstName, isWhole }: SideBySideProps) {
  const dropped = [first, now].filter(({ request }) => request === undefined);
  const partsIn = (details: RequestDetails) => new Map(partsOf(details, dropped.length === 0, isWhole));
  const [before, after] = [partsIn(first), partsIn(now)];
  const all = [...new Set([...before.keys(), ...after.keys()])];
  const isOther = (name: string): boolean => before.get(name) !== after.get(name);
  // The bytes count, not the values: spaces and the order of members make another request, too.
  const isInBytes = !all.some((name) => !name.endsWith(BYTES) && isOther(name));
  const known = isInBytes ? all : all.filter((name) => !name.endsWith(BYTES));
  const different = known.filter(isOther);
  const cellOf = (parts: ReadonlyMap<string, string>) => (name: string) => <code>{parts.get(name) ?? '(absent)'}</code>;
  const link = <a href={hrefHere(first.seq)}>{`${firstName}, entry ${first.seq}`}</a>;
  return (
    <>
      {dropped.map(({ seq }) => (
        <p key={seq} class="hint">
          Not compared: the headers and bodies of entry {seq} were dropped. Only the newest 1,000 requests keep them.
        </p>
      ))}
      <Table
        caption={`Side by side with the ${firstName}`}
        rows={different.sort((one, other) => Number(EVER_NEW.test(one)) - Number(EVER_NEW.test(other)))}
        keyOf={(name) => name}
        empty="No part is different."
        columns={[
          { title: 'part', cell: (name) => name },
          { title: link, cell: cellOf(before) },
          { title: `this request, entry ${now.seq}`, cell: cellOf(after) },
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

type Part = [name: string, value: string];

function partsOf({ method, path, status, request, response }: RequestDetails, hasBodies: boolean, isWhole: boolean) {
  const headersOf = (name: string, headers = {}) =>
    Object.entries<string>(headers).map(([header, value]): Part => [`${name} ${header}`, value]);
  const parts: Part[] = [
    ['method', method],
    ['path', path],
  ];
  if (hasBodies) parts.push(...bodyParts('body', request?.body));
  if (isWhole) parts.push(['response', String(status ?? 'none')]);
  if (!isWhole || !hasBodies) return parts;
  parts.push(...headersOf('header', request?.headers), ...headersOf('response header', response?.headers));
  return response === undefined ? parts : [...parts, ...bodyParts('response body', response.body)];
}

/** Each value of a body by its name, and the body as a whole. One that is not JSON has no names. */
function bodyParts(name: string, body: MessageBody | undefined): Part[] {
  const text = body?.text ?? body?.base64;
  if (text === undefined) return [[name, '(incomplete)']];
  const members = (linesOf(text) ?? []).slice(0, MAX_PARTS).flatMap(({ path, text: line }): Part[] => {
    if (path === undefined || /[[{],?$/.test(line)) return [];
    const value = path === '' ? line : line.trimStart().replace(/^"[^"\\]*(?:\\.[^"\\]*)*": /, '');
    return [[`${name} ${path}`.trim(), value.replace(/,$/, '')]];
  });
  return [...members, [`${name}${BYTES}`, text]];
}
