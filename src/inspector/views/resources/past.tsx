import type { PostingEntry } from '../../../sandbox/core/timeline/entries.js';
import type { ResourceChange, ResourceDetails } from '../../../sandbox/drive/look/resources.js';
import { Cause } from '../../parts/entries/cause.js';
import { useReading } from '../../parts/hooks.js';
import { Holder } from '../../parts/links/holder.js';
import { hrefOf } from '../../parts/links/route.js';
import { type Column, Table } from '../../parts/table.js';
import { Ago } from '../../parts/values/ago.js';
import { grouped } from '../../parts/values/decimal.js';
import type { live as one } from '../../wire/live.js';

interface PastProps {
  readonly live: typeof one;
  readonly resource: ResourceDetails;
}

interface HistoryProps extends PastProps {
  readonly kind: string;
  /** The sandbox's time. */
  readonly now: number | undefined;
}

/** The changes of the state, and what brought each about. */
export function History({ live, kind, now, resource: { status, history } }: HistoryProps) {
  if (status === undefined && kind !== 'accounts') return null;
  const columns: Column<ResourceChange>[] = [
    { title: 'state', cell: ({ from, to }) => (from === undefined ? `new: ${to}` : `${from} → ${to}`) },
    { title: 'cause', cell: ({ cause }) => <Cause seq={cause} /> },
    {
      title: 'when',
      cell: ({ at, seq }) => (
        <a href={hrefOf('requests', seq)}>
          <Ago at={at} now={now} />
        </a>
      ),
    },
  ];
  const last = history.at(-1);
  return (
    <section aria-label="History">
      <h3>History</h3>
      <Table
        caption="Changes of the state, newest first"
        columns={columns}
        rows={history.slice(-MOST).reverse()}
        keyOf={({ seq }) => seq}
        empty={
          live.isKept.value
            ? 'None kept: this resource is of the start-up data, or of a snapshot.'
            : 'This sandbox keeps no changes: inspect is off.'
        }
      />
      {last !== undefined && last.to !== status && status === 'expired' && (
        <p class="hint">Its time is over. The change to expired is noted when a request next reads it.</p>
      )}
    </section>
  );
}

/** Rows of a table at most. */
const MOST = 50;

/** The postings that name the resource. */
export function Moved({ live, resource: { id, kind, holdings } }: PastProps) {
  const path = holdings === undefined ? `postings?reference=${encodeURIComponent(id)}` : undefined;
  const { data: postings = [] } = useReading<readonly PostingEntry[]>(path);
  if (holdings !== undefined)
    return (
      <p>
        <a href={hrefOf('money', id)}>The balances of this account, and every change</a>
      </p>
    );
  if (postings.length === 0) return null;
  const columns: Column<PostingEntry>[] = [
    { title: 'amount', isNumber: true, cell: ({ amount, asset }) => `${grouped(amount)} ${asset}` },
    { title: 'from', cell: ({ from, asset }) => <Holder name={from} asset={asset} /> },
    { title: 'to', cell: ({ to, asset }) => <Holder name={to} asset={asset} /> },
    { title: 'cause', cell: ({ cause }) => <Cause seq={cause} /> },
  ];
  return (
    <section aria-label="Postings">
      <h3>Postings</h3>
      <Table
        caption={`Postings of ${kind} ${id}`}
        columns={columns}
        rows={postings.slice(0, MOST)}
        keyOf={({ seq }) => seq}
        empty=""
      />
    </section>
  );
}
