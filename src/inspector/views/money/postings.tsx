import type { PostingEntry } from '../../../sandbox/core/timeline/entries.js';
import { download } from '../../parts/actions/download.js';
import { Cause, causeText } from '../../parts/entries/cause.js';
import { Holder } from '../../parts/links/holder.js';
import { hrefOf } from '../../parts/links/route.js';
import { csvOf } from '../../parts/values/csv.js';
import { grouped } from '../../parts/values/decimal.js';
import { momentOf, timeOf } from '../../parts/values/format.js';
import { VirtualList } from '../../parts/virtual-list.js';
import type { live as one } from '../../wire/live.js';
import { usePostings } from './use-postings.js';

/** As in the style sheet. */
const ROW_HEIGHT = 30;

interface PostingsProps {
  readonly live: typeof one;
  readonly account: string;
  readonly asset: string;
}

/** Every movement of money, newest first. */
export function Postings({ live, account, asset }: PostingsProps) {
  const { postings, gone, problem } = usePostings({ account, asset });
  const rows = postings?.toReversed() ?? [];
  return (
    <section class="panel" aria-label="Postings">
      <div class="fields">
        <h2>Postings</h2>
        <button
          type="button"
          disabled={rows.length === 0}
          onClick={() => download('postings.csv', 'text/csv', csvOfPostings(live, postings ?? []))}
        >
          Export CSV
        </button>
        <span class="hint">
          {rows.length} movements of money, newest first{gone > 0 && `; ${gone} older ones were dropped`}
        </span>
      </div>
      {problem !== undefined && <p class="note">{problem}</p>}
      {!live.isKept.value && <p class="note">This sandbox keeps no postings: inspect is off.</p>}
      {live.isKept.value && postings?.length === 0 && <p class="empty">No money has moved.</p>}
      {rows.length > 0 && (
        <div class="postings" style={{ height: `${Math.min(rows.length, 14) * ROW_HEIGHT}px` }}>
          <VirtualList
            items={rows}
            rowHeight={ROW_HEIGHT}
            label="Postings, newest first"
            selected={undefined}
            row={(posting) => <PostingRow key={posting.seq} live={live} posting={posting} />}
          />
        </div>
      )}
    </section>
  );
}

function PostingRow({ live, posting }: { readonly live: typeof one; readonly posting: PostingEntry }) {
  const { seq, at, from, to, asset, amount, cause } = posting;
  return (
    <li class="row posting">
      <a class="time" href={hrefOf('requests', seq)} title={momentOf(at)}>
        {timeOf(at)}
      </a>
      <span class="title number">
        {grouped(amount)} {asset}
      </span>
      <span class="title">
        <Holder name={from} asset={asset} /> → <Holder name={to} asset={asset} />
      </span>
      <span class="detail">
        <Cause seq={cause} />
      </span>
    </li>
  );
}

const csvOfPostings = (live: typeof one, postings: readonly PostingEntry[]): string =>
  csvOf([
    ['seq', 'time', 'from', 'to', 'amount', 'asset', 'from_balance', 'to_balance', 'reference', 'cause'],
    ...postings.map(({ seq, at, from, to, amount, asset, fromBalance, toBalance, reference, cause }) => [
      ...[String(seq), new Date(at).toISOString(), from, to, amount, asset, fromBalance, toBalance, reference],
      causeText(cause),
    ]),
  ]);
