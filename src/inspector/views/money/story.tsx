import { useMemo, useState } from 'preact/hooks';
import type { AccountHolding } from '../../../sandbox/kinds/registry/books.js';
import { download } from '../../parts/actions/download.js';
import { Cause, Reference } from '../../parts/entries/cause.js';
import { FactList } from '../../parts/fact-list.js';
import { balanceForm, depositForm } from '../../parts/forms/account-forms.js';
import { Forms } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { Holder } from '../../parts/links/holder.js';
import { hrefOf } from '../../parts/links/route.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { type Column, Table } from '../../parts/table.js';
import { Ago } from '../../parts/values/ago.js';
import { Amount } from '../../parts/values/amount.js';
import { grouped, placesIn } from '../../parts/values/decimal.js';
import type { live as one } from '../../wire/live.js';
import { HeldBy } from './balances.js';
import { csvOfStory, type Line, tell } from './tell.js';
import { usePostings } from './use-postings.js';

/** Postings that are shown at first, and more with each click. */
const STEP_ROWS = 100;

interface StoryProps {
  readonly live: typeof one;
  readonly account: string;
  readonly asset: string;
}

/**
 * Tells how a balance came to be: what was at first, each change with its cause, and the balance
 * after it.
 */
export function Story({ live, account, asset }: StoryProps) {
  const path = `books/holdings/${encodeURIComponent(account)}`;
  const { data: holdings, problem, again } = useReading<readonly AccountHolding[]>(path);
  const { postings, gone } = usePostings({ account, asset });
  const now = useSandboxNow();
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
  if (holdings === undefined) return <p class="empty">{problem === undefined ? 'Loading …' : problem.split(';')[0]}</p>;
  const { hidden, lines, end } = told;
  const shown: Line[] = [
    { seq: 0, balance: told.before, what: hidden === 0 ? opening(gone) : `after ${hidden} older postings` },
    ...lines,
  ];
  const places = placesIn(shown.flatMap(({ change = '', balance }) => [change, balance]));
  const columns: Column<Line>[] = [
    {
      title: 'when',
      cell: ({ at, seq }) =>
        at === undefined ? (
          ''
        ) : (
          <a href={hrefOf('requests', seq)}>
            <Ago at={at} now={now} />
          </a>
        ),
    },
    {
      title: 'change',
      isNumber: true,
      cell: ({ change }) =>
        change !== undefined && (
          <span class={toneOf(change)}>
            <Amount text={change} places={places} />
          </span>
        ),
    },
    {
      title: 'balance',
      isNumber: true,
      cell: ({ balance }) => (
        <strong>
          <Amount text={balance} places={places} />
        </strong>
      ),
    },
    { title: 'with', isMinor: true, cell: (line) => <Other line={line} account={account} /> },
    {
      title: 'for',
      isMinor: true,
      cell: ({ posting }) => posting !== undefined && <Reference id={posting.reference} />,
    },
    {
      title: 'cause',
      cell: ({ posting, what }) => (posting === undefined ? what : <Cause seq={posting.cause} />),
    },
  ];
  return (
    <section class="story" aria-label={`Changes of the balance of ${asset}`}>
      <p>
        <a href={hrefOf('money')}>All balances</a>
      </p>
      <h2>
        {grouped(holding.total)} {symbol} <span class="hint">{type}</span>
      </h2>
      <FactList
        facts={[
          ['account', <a href={hrefOf('resources', 'accounts', account)}>{account}</a>],
          ['available', grouped(holding.available)],
          ['held', <HeldBy holding={holding} />],
        ]}
      />
      <h3>Changes, oldest first</h3>
      {!live.isKept.value && (
        <p class="note">
          This sandbox keeps no postings: inspect is off. So the page knows the balance, but not its changes.
        </p>
      )}
      {hidden > 0 && (
        <button type="button" onClick={() => setMost(most + STEP_ROWS)}>
          Show older changes
        </button>
      )}
      <Table
        caption="The balance from its beginning to now"
        columns={columns}
        rows={shown}
        keyOf={({ seq }) => seq}
        empty=""
      />
      {postings !== undefined && live.isKept.value && (
        <p role="status" class={end === holding.total ? 'tone-good' : 'tone-warn'}>
          {end === holding.total
            ? `✓ It adds up: ${grouped(told.first)} and ${hidden + lines.length} ${hidden + lines.length === 1 ? 'change' : 'changes'} are ${grouped(holding.total)}, to the last digit.`
            : `The postings lead to ${grouped(end)}, the account holds ${grouped(holding.total)}. Money is moving now, or some postings are unknown.`}
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
  gone === 0 ? 'opening balance' : 'before the oldest posting that the sandbox keeps';

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
