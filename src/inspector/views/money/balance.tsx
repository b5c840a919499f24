import { useMemo } from 'preact/hooks';
import { Action } from '../../parts/actions/button.js';
import { Cause, Reference } from '../../parts/entries/cause.js';
import { Facts } from '../../parts/facts.js';
import { balanceForm, depositForm } from '../../parts/forms/account-forms.js';
import { Forms } from '../../parts/forms/method-form.js';
import { useReading } from '../../parts/hooks.js';
import { useHolders } from '../../parts/links/holder.js';
import { Pane, ReadingState } from '../../parts/pane.js';
import { useSandboxNow } from '../../parts/sandbox-now.js';
import { Table } from '../../parts/table.js';
import { Amount, grouped, negated, placesIn, sumOf } from '../../parts/values/amounts.js';
import { Ago } from '../../parts/values/times.js';
import { counted } from '../../parts/values/words.js';
import { hrefHere, hrefOf } from '../../wire/address.js';
import { live } from '../../wire/live.js';
import type { AccountHolding, PostingEntry } from '../../wire/sandbox.js';
import { Held, symbolOf } from './balances.js';
import { usePostings, usePostingsGone } from './postings.js';

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
          <h3 class="heading">How it came to be</h3>
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
function linesOf(account: string, postings: readonly PostingEntry[], total: string): [Line, ...Line[]] {
  const [oldest] = postings;
  const changeOf = ({ from, amount }: PostingEntry): string => (from === account ? `-${amount}` : `+${amount}`);
  const after = oldest?.from === account ? oldest.fromBalance : oldest?.toBalance;
  const opening = oldest === undefined ? total : sumOf([after ?? '0', negated(changeOf(oldest))]);
  let balance = opening;
  const changes = postings.map((posting) => {
    const change = changeOf(posting);
    balance = sumOf([balance, change]);
    return { balance, posting, change };
  });
  return [{ balance: opening }, ...changes];
}

interface StoryProps {
  readonly account: string;
  readonly holding: AccountHolding;
}

/** How a balance came to be: what was at first, and each change with its cause. */
function Story({ account, holding: { asset, total } }: StoryProps) {
  const postings = usePostings(account, asset);
  const lines = useMemo(() => linesOf(account, postings ?? [], total), [account, postings, total]);
  if (!live.isKept.value) return <p class="soft">This sandbox keeps no postings: inspect is off.</p>;
  if (postings === undefined) return <p class="soft">Loading …</p>;
  const [{ balance: first }] = lines;
  const end = lines.at(-1)?.balance;
  const count = counted(postings.length, 'change');
  return (
    <>
      <Changes account={account} asset={asset} lines={lines} />
      <p role="status" class={end === total ? 'tone-good' : 'tone-warn'}>
        {end === total
          ? `✓ It adds up: ${grouped(first)} and ${count} are ${grouped(total)}, to the last digit.`
          : `The postings lead to ${grouped(end ?? '')}, the account holds ${grouped(total)}. Money is moving now, or some postings are unknown.`}
      </p>
    </>
  );
}

/** Changes that the table has: all are among the postings. */
const NEWEST = 20;

interface ChangesProps {
  readonly account: string;
  readonly asset: string;
  readonly lines: readonly Line[];
}

function Changes({ account, asset, lines }: ChangesProps) {
  const opening = usePostingsGone() === 0 ? 'opening balance' : 'before the oldest posting that the sandbox keeps';
  const holders = useHolders();
  const now = useSandboxNow();
  const older = Math.max(0, lines.length - 1 - NEWEST);
  const rows = [{ balance: lines[older]?.balance ?? '' }, ...lines.slice(older + 1)];
  const places = placesIn(rows.flatMap(({ change = '', balance }: Line) => [change, balance]));
  const query = new URLSearchParams({ show: 'postings', account, asset });
  const before = older === 0 ? opening : <a href={`${hrefOf('money')}?${query}`}>after {older} older changes</a>;
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
  return (
    <Table<Line>
      caption="The balance from its beginning to now"
      columns={[
        { title: 'change', isNumber: true, cell: ({ change }) => change && <Amount text={change} places={places} /> },
        { title: 'balance', isNumber: true, cell: ({ balance }) => <Amount text={balance} places={places} /> },
        { title: 'why', cell: ({ posting }) => (posting === undefined ? before : why(posting)) },
      ]}
      rows={rows}
      keyOf={({ posting }) => posting?.seq ?? 0}
      empty=""
    />
  );
}
