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
  const lines = useMemo(() => linesOf(account, postings ?? [], holding.total), [account, postings, holding.total]);
  const [type = '', symbol = ''] = asset.split(':');
  const known = { account, symbol, asset_type: type };
  if (holdings === undefined) return <p class="empty">{problem === undefined ? 'loading …' : problem.split(';')[0]}</p>;
  const changes = lines.slice(1);
  const hidden = Math.max(0, changes.length - most);
  const begin = changes[hidden - 1] ?? lines[0];
  const end = lines.at(-1)?.balance ?? '0';
  const shown: Line[] = [
    { seq: 0, balance: begin?.balance ?? '0', what: hidden === 0 ? opening(gone) : `after ${hidden} older postings` },
    ...changes.slice(hidden),
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
            ? `✓ It adds up: ${lines[0]?.balance} and ${changes.length} changes are ${holding.total}, to the last digit.`
            : `The postings lead to ${end}, the account holds ${holding.total}. Money moves just now, or some are not known.`}
        </p>
      )}
      <p>
        <button type="button" onClick={() => download(`${account} ${symbol}.csv`, 'text/csv', csvOfLines(live, lines))}>
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

/** The balance at first is that before the oldest posting, or the present one if there is none. */
function linesOf(account: string, postings: readonly PostingEntry[], total: string): readonly [Line, ...Line[]] {
  const changes = postings.map((posting): Line => {
    const { seq, at, from, amount, fromBalance, toBalance } = posting;
    const isPaid = from === account;
    return {
      seq,
      at,
      posting,
      change: isPaid ? `-${amount}` : `+${amount}`,
      balance: isPaid ? fromBalance : toBalance,
    };
  });
  const [first] = changes;
  const balance = first?.change === undefined ? total : sumOf([first.balance, negated(first.change)]);
  let sum = balance;
  // Added up here, not taken over: a story that does not add up must show.
  const told = changes.map((line): Line => {
    sum = sumOf([sum, line.change ?? '0']);
    return { ...line, balance: sum };
  });
  return [{ seq: 0, balance }, ...told];
}

const csvOfLines = (live: Live, lines: readonly Line[]): string =>
  csvOf([
    ['seq', 'time', 'change', 'balance', 'from', 'to', 'reference', 'cause'],
    ...lines.map(({ seq, at, change = '', balance, posting }) => [
      ...[String(seq), at === undefined ? '' : new Date(at).toISOString(), change.replace('+', ''), balance],
      ...[
        posting?.from ?? '',
        posting?.to ?? '',
        posting?.reference ?? '',
        posting === undefined ? '' : causeText(live, posting.cause),
      ],
    ]),
  ]);
