import { causeText } from '../../parts/entries/cause.js';
import { useReading } from '../../parts/hooks.js';
import { useHolders } from '../../parts/links/holder.js';
import { List, Row } from '../../parts/list.js';
import { grouped } from '../../parts/values/amounts.js';
import { momentOf, timeOf } from '../../parts/values/times.js';
import { hrefOf } from '../../wire/address.js';
import { read } from '../../wire/api.js';
import { live } from '../../wire/live.js';
import type { PostingEntry } from '../../wire/sandbox.js';
import { symbolOf } from './balances.js';

/** As many as the sandbox keeps. */
const LIMIT_POSTINGS = 10_000;

/** Reads the postings that follow the known ones. */
async function readOn(path: string, known: readonly PostingEntry[] = []): Promise<readonly PostingEntry[]> {
  const found = await read<readonly PostingEntry[]>(`${path}&after=${known.at(-1)?.seq ?? 0}`);
  return found.length === 0 ? known : [...known, ...found].slice(-LIMIT_POSTINGS);
}

/**
 * Postings as they come, oldest first, of an account or a book and of an asset; of all if the text
 * is empty.
 */
export function usePostings(account: string, asset: string): readonly PostingEntry[] | undefined {
  const query = new URLSearchParams({ ...(account && { accountId: account }), ...(asset && { asset }) });
  const path = `postings?${query}`;
  const { data, of } = useReading(path, readOn);
  return of === path ? data : undefined;
}

/** The number of postings that the sandbox does not keep any more. */
export const usePostingsGone = (): number => useReading<number>('postings/gone').data ?? 0;

/** Every movement of money, newest first. */
export function Postings({ account, asset: wanted }: { readonly account: string; readonly asset: string }) {
  const postings = usePostings(account, wanted);
  const gone = usePostingsGone();
  const holders = useHolders();
  const nameOf = (name: string): string => holders.get(name) ?? name;
  if (!live.isKept.value) return <p class="empty">This sandbox keeps no postings: inspect is off.</p>;
  if (postings === undefined) return <p class="empty">Loading …</p>;
  return (
    <>
      {postings.length === 0 && <p class="empty">No money has moved.</p>}
      <List
        items={postings.toReversed()}
        label="Postings, newest first"
        keyOf={({ seq }) => seq}
        row={({ seq, at, from, to, amount, asset, cause }, state) => (
          <Row key={seq} href={hrefOf('requests', seq)} look="posting" {...state}>
            <time title={momentOf(at)}>{timeOf(at).slice(0, 8)}</time>
            <span class="number" title={asset}>
              {grouped(amount)} {symbolOf(asset)}
            </span>
            <span>
              {nameOf(from)} → {nameOf(to)}
            </span>
            <span class="soft minor">{causeText(cause)}</span>
          </Row>
        )}
      />
      <p class="bar">
        <span class="end">
          {postings.length.toLocaleString('en')} movements of money
          {gone > 0 && `; ${gone} older ones were dropped`}
        </span>
      </p>
    </>
  );
}
