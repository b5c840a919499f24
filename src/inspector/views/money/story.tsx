import { useMemo, useState } from 'preact/hooks';
import type { AccountHolding } from '../../../sandbox/look/books.js';
import type { PostingEntry } from '../../../sandbox/timeline/entries.js';
import { balanceForm, depositForm } from '../../parts/account-forms.js';
import { Cause, causeText, Reference } from '../../parts/cause.js';
import { CHANGING } from '../../parts/changing.js';
import { csvOf } from '../../parts/csv.js';
import { negated, sumOf } from '../../parts/decimal.js';
import { download } from '../../parts/download.js';
import { Forms } from '../../parts/form-spec.js';
import { momentOf } from '../../parts/format.js';
import { Holder } from '../../parts/holder.js';
import { useLiveReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/route.js';
import { type Column, Table } from '../../parts/table.js';
import type { Live } from '../../wire/live.js';
import { HeldBy } from './balances.js';
import { usePostings } from './use-postings.js';

/** Postings that are shown at first, and more with each click. */
const STEP_ROWS = 100;

interface StoryProps {
  readonly live: Live;
  readonly account: string;
  readonly asset: string;
}

/** A line of the story: the balance at its beginning, a change, or what has come of it. */
interface Line {
  readonly seq: number;
  readonly at?: number;
  readonly what?: string;
  readonly posting?: PostingEntry;
  /** With its sign. */
  readonly change?: string;
  readonly balance: string;
}

/** Tells how a balance came to be: what was at first, each change with its cause, and the balance after it. */
export function Story({ live, account, asset }: StoryProps) {
  const path = `books/holdings/${encodeURIComponent(account)}`;
  const { data: holdings, problem, again } = useLiveReading<readonly AccountHolding[]>(live, path, CHANGING);
  const { postings, gone } = usePostings(live, { account, asset });
  const [most, setMost] = useState(STEP_ROWS);
  const holding = holdings?.find((one) => one.asset === asset) ?? {
    asset,
    total: '0',
    available: '0',
    held: '0',
    heldBy: [],
  };
  const told = useMemo(
    () => tell(account, postings ?? [], holding.total, most),
    [account, postings, holding.total, most],
  );
  const [type = '', symbol = ''] = asset.split(':');
  const known = { account, symbol, asset_type: type };
  if (holdings === undefined) return <p class="empty">{problem === undefined ? 'loading …' : problem.split(';')[0]}</p>;
  const { hidden, lines, end } = told;
  const shown: Line[] = [
    { seq: 0, balance: told.before, what: hidden === 0 ? opening(gone) : `after ${hidden} older postings` },
    ...lines,
  ];
  const columns: Column<Line>[] = [
    {
      title: 'sandbox time',
      cell: ({ at, seq }) => (at === undefined ? '' : <a href={hrefOf('timeline', seq)}>{momentOf(at)}</a>),
    },
    { title: 'change', isNumber: true, cell: ({ change = '' }) => <span class={toneOf(change)}>{change}</span> },
    { title: 'balance', isNumber: true, cell: ({ balance }) => <strong>{balance}</strong> },
    { title: 'with', cell: (line) => <Other line={line} account={account} /> },
    { title: 'for', cell: ({ posting }) => posting !== undefined && <Reference live={live} id={posting.reference} /> },
    {
      title: 'by',
      cell: ({ posting, what }) => (posting === undefined ? what : <Cause live={live} seq={posting.cause} />),
    },
  ];
  return (
    <section class="story" aria-label={`How the balance of ${asset} came to be`}>
      <p>
        <a href={hrefOf('money')}>All balances</a>
      </p>
      <h2>
        {holding.total} {symbol} <span class="hint">{type}</span>
      </h2>
      <dl class="facts">
        <dt>account</dt>
        <dd>
          <a href={hrefOf('resources', 'accounts', account)}>{account}</a>
        </dd>
        <dt>available</dt>
        <dd>{holding.available}</dd>
        <dt>held</dt>
        <dd>
          <HeldBy holding={holding} />
        </dd>
      </dl>
      <h3>How it came to be</h3>
      {!live.isKept && (
        <p class="note">
          This sandbox keeps no postings: it was made without inspect. The balance is known, not its story.
        </p>
      )}
      {hidden > 0 && (
        <button type="button" onClick={() => setMost(most + STEP_ROWS)}>
          Show older
        </button>
      )}
      <Table
        caption="The balance from its beginning to now"
        columns={columns}
        rows={shown}
        keyOf={({ seq }) => seq}
        empty=""
      />
      {postings !== undefined && live.isKept && (
        <p role="status" class={end === holding.total ? 'tone-good' : 'tone-warn'}>
          {end === holding.total
            ? `✓ It adds up: ${told.first} and ${hidden + lines.length} changes are ${holding.total}, to the last digit.`
            : `The postings lead to ${end}, the account holds ${holding.total}. Money moves just now, or some are not known.`}
        </p>
      )}
      <p>
        <button
          type="button"
          onClick={() => {
            const all = tell(account, postings ?? [], holding.total, Number.POSITIVE_INFINITY);
            download(`${account} ${symbol}.csv`, 'text/csv', csvOfStory(live, all));
          }}
        >
          Export CSV
        </button>
      </p>
      <Forms specs={[depositForm(known), balanceForm(known)]} onDone={again} />
    </section>
  );
}

const opening = (gone: number): string =>
  gone === 0
    ? 'at the beginning: when the sandbox was made, reset or restored'
    : 'before the oldest posting that is kept; older ones are gone';

const toneOf = (change: string): string => (change.startsWith('-') ? 'tone-bad' : 'tone-good');

function Other({ line: { posting }, account }: { readonly line: Line; readonly account: string }) {
  if (posting === undefined) return null;
  const { from, to, asset } = posting;
  return from === account ? (
    <>
      to <Holder name={to} asset={asset} />
    </>
  ) : (
    <>
      from <Holder name={from} asset={asset} />
    </>
  );
}

interface Told {
  /** The balance before the oldest posting, or the present one if there is none. */
  readonly first: string;
  /** Number of the postings before the newest. */
  readonly hidden: number;
  /** The balance before the newest postings. */
  readonly before: string;
  /** The newest postings. */
  readonly lines: readonly Line[];
  /** The balance after all. */
  readonly end: string;
}

/** Adds up all postings, and each of the newest. The sums are not taken over: a story that is wrong must show. */
function tell(account: string, postings: readonly PostingEntry[], total: string, most: number): Told {
  const changeOf = ({ from, amount }: PostingEntry): string => (from === account ? `-${amount}` : `+${amount}`);
  const [oldest] = postings;
  const first =
    oldest === undefined
      ? total
      : sumOf([oldest.from === account ? oldest.fromBalance : oldest.toBalance, negated(changeOf(oldest))]);
  const hidden = Math.max(0, postings.length - most);
  const before = sumOf([first, ...postings.slice(0, hidden).map(changeOf)]);
  let balance = before;
  const lines = postings.slice(hidden).map((posting): Line => {
    const change = changeOf(posting);
    balance = sumOf([balance, change]);
    return { seq: posting.seq, at: posting.at, posting, change, balance };
  });
  return { first, hidden, before, lines, end: balance };
}

const csvOfStory = (live: Live, { first, lines }: Told): string =>
  csvOf([
    ['seq', 'time', 'change', 'balance', 'from', 'to', 'reference', 'cause'],
    ...[{ seq: 0, balance: first }, ...lines].map(({ seq, at, change = '', balance, posting }: Line) => [
      ...[String(seq), at === undefined ? '' : new Date(at).toISOString(), change.replace('+', ''), balance],
      ...[posting?.from ?? '', posting?.to ?? '', posting?.reference ?? ''],
      posting === undefined ? '' : causeText(live, posting.cause),
    ]),
  ]);
