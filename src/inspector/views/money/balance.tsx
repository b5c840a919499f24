import { useMemo, useState } from 'preact/hooks';
import { Action } from '../../parts/actions/button.js';
import { Cause, Reference } from '../../parts/entries/cause.js';
import { Facts } from '../../parts/facts.js';
import { balanceForm, depositForm } from '../../parts/forms/account-forms.js';
import { Forms } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { useHolders } from '../../parts/links/holder.js';
import { Pane, ReadingState } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { type Column, Table } from '../../parts/table.js';
import { Amount, grouped, negated, placesIn, sumOf } from '../../parts/values/amounts.js';
import { Ago } from '../../parts/values/times.js';
import { counted } from '../../parts/values/words.js';
import { hrefHere, hrefOf } from '../../wire/address.js';
import { live } from '../../wire/live.js';
import type { AccountHolding, PostingEntry } from '../../wire/sandbox.js';
import { Held, symbolOf } from './balances.js';
import { PostingsCsv, usePostings, usePostingsGone } from './postings.js';

interface BalancePaneProps {
  readonly account: string;
  /** For example `crypto:BTC`. */
  readonly asset: string;
}

/** A balance: what there is, how it came to be, and what may be done with it. */
export function BalancePane({ account, asset }: BalancePaneProps) {
  const reading = useReading<readonly AccountHolding[]>(`books/holdings/${encodeURIComponent(account)}`);
  const holder = useHolders().get(account) ?? account;
  const symbol = symbolOf(asset);
  const known = { account, symbol, asset_type: asset.slice(0, -symbol.length - 1) };
  const title = `${holder} · ${symbol}`;
  const nothing = { asset, total: '0', available: '0', held: '0', heldBy: [] };
  const holding = reading.data?.find((one) => one.asset === asset) ?? nothing;
  return (
    <Pane label={`Balance of ${title}`} title={title} closeHref={hrefHere()}>
      <ReadingState reading={reading} />
      {reading.data !== undefined && (
        <>
          <Facts
            facts={[
              ['available', <b>{grouped(holding.available)}</b>],
              ['held', holding.held !== '0' && <Held holding={holding} />],
              ['total', holding.held !== '0' && grouped(holding.total)],
              ['account', <a href={hrefOf('resources', 'accounts', account)}>{account}</a>],
            ]}
          />
          <Story account={account} holding={holding} />
          <h3 class="heading">Change it</h3>
          <Forms specs={[depositForm(known), balanceForm(known)]} onDone={reading.again} />
          <Action
            label="Empty"
            of={title}
            kind="danger"
            method="accounts/setBalance"
            args={[account, { symbol, asset_type: known.asset_type, available: '0' }]}
            undo={`${title} is empty.`}
          />
        </>
      )}
    </Pane>
  );
}

/** The balance before a change, or after it. */
interface Line {
  readonly balance: string;
  readonly posting?: PostingEntry;
  /** With its sign. */
  readonly change?: string;
}

/**
 * Adds up all postings, from the balance before the oldest. The balances in them are not taken
 * over: a story that is wrong must show.
 */
function linesOf(account: string, postings: readonly PostingEntry[], total: string): readonly Line[] {
  const changes = postings.map(({ from, amount }) => (from === account ? `-${amount}` : `+${amount}`));
  const [oldest] = postings;
  const after = oldest?.from === account ? oldest.fromBalance : oldest?.toBalance;
  let balance = after === undefined ? total : sumOf([after, negated(changes[0] ?? '0')]);
  return [
    { balance },
    ...postings.map((posting, index) => {
      const change = changes[index] ?? '0';
      balance = sumOf([balance, change]);
      return { balance, posting, change };
    }),
  ];
}

/** Changes that are shown at first, and that each click adds. */
const FIRST_ROWS = 20;
const MORE_ROWS = 100;

interface StoryProps {
  readonly account: string;
  readonly holding: AccountHolding;
}

/** How a balance came to be: what was at first, and each change with its cause. */
function Story({ account, holding: { asset, total } }: StoryProps) {
  const postings = usePostings({ account, asset });
  const [most, setMost] = useState(FIRST_ROWS);
  const lines = useMemo(() => linesOf(account, postings ?? [], total), [account, postings, total]);
  if (!live.isKept.value) return <p class="soft">This sandbox keeps no postings: inspect is off.</p>;
  const [first, end] = [lines[0]?.balance ?? total, lines.at(-1)?.balance ?? total];
  const count = lines.length - 1;
  const hidden = Math.max(0, count - most);
  return (
    <>
      <div class="heading">
        <h3>How it came to be</h3>
        <PostingsCsv name={`${account} ${symbolOf(asset)}`} postings={postings ?? []} />
      </div>
      {hidden > 0 && (
        <button type="button" onClick={() => setMost(most + MORE_ROWS)}>
          Show older changes
        </button>
      )}
      <Changes account={account} lines={lines} hidden={hidden} />
      {postings !== undefined && (
        <p role="status" class={end === total ? 'tone-good' : 'tone-warn'}>
          {end === total
            ? `✓ It adds up: ${grouped(first)} and ${counted(count, 'change')} are ${grouped(total)}, to the last digit.`
            : `The postings lead to ${grouped(end)}, the account holds ${grouped(total)}. Money is moving now, or some postings are unknown.`}
        </p>
      )}
    </>
  );
}

interface ChangesProps {
  readonly account: string;
  readonly lines: readonly Line[];
  /** Number of the oldest changes that are not shown. */
  readonly hidden: number;
}

function Changes({ account, lines, hidden }: ChangesProps) {
  const opening = usePostingsGone() === 0 ? 'opening balance' : 'before the oldest posting that the sandbox keeps';
  const holders = useHolders();
  const now = useSandboxNow();
  const rows: readonly Line[] = [{ balance: lines[hidden]?.balance ?? '0' }, ...lines.slice(hidden + 1)];
  const places = placesIn(rows.flatMap(({ change = '', balance }) => [change, balance]));
  const why = ({ seq, at, from, to, cause, reference }: PostingEntry) => (
    <>
      <Cause seq={cause} />{' '}
      <a class="soft minor" href={hrefOf('requests', seq)}>
        <Ago at={at} now={now} />
      </a>
      <p class="soft">
        {from === account ? `to ${holders.get(to) ?? to}` : `from ${holders.get(from) ?? from}`} for{' '}
        <Reference id={reference} />
      </p>
    </>
  );
  const columns: readonly Column<Line>[] = [
    { title: 'change', isNumber: true, cell: ({ change }) => change && <Amount text={change} places={places} /> },
    { title: 'balance', isNumber: true, cell: ({ balance }) => <Amount text={balance} places={places} /> },
    {
      title: 'why',
      cell: ({ posting }) =>
        posting === undefined ? (hidden === 0 ? opening : `after ${hidden} older changes`) : why(posting),
    },
  ];
  return (
    <Table
      caption="The balance from its beginning to now"
      columns={columns}
      rows={rows}
      keyOf={({ posting }) => posting?.seq ?? 0}
      empty=""
    />
  );
}
