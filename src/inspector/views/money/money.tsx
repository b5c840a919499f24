import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import type { BooksCheck } from '../../../sandbox/kinds/registry/books.js';
import { download } from '../../parts/actions/download.js';
import { useAddressed } from '../../parts/addressed.js';
import { balanceForm, depositForm } from '../../parts/forms/account-forms.js';
import { Forms } from '../../parts/forms/method-form.js';
import { Select } from '../../parts/forms/select.js';
import { useLive, useReading } from '../../parts/hooks.js';
import { ownerOf } from '../../parts/links/holder.js';
import { currentRoute, go } from '../../parts/links/route.js';
import { Panel } from '../../parts/panel.js';
import { csvOf } from '../../parts/values/csv.js';
import type { ViewProps } from '../../parts/view-props.js';
import type { live as one } from '../../wire/live.js';
import { Balances } from './balances.js';
import { Postings } from './postings.js';
import { Proof, Verdict } from './proof.js';
import { Story } from './story.js';

const NO_FILTER = { asset: '' };

/** Accounts that are read at most. */
const MOST_ACCOUNTS = 500;

/** Balances of all accounts, their movements, and the proof that no money is made or lost. */
export function Money({ live, id }: ViewProps) {
  useLive(live);
  const [account = '', asset] = id?.split('/') ?? [];
  return asset === undefined ? (
    <Overview live={live} account={account} />
  ) : (
    <Story key={id} live={live} account={account} asset={asset} />
  );
}

interface OverviewProps {
  readonly live: typeof one;
  /** The one that the address names; all if it is empty. */
  readonly account: string;
}

function Overview({ live, account }: OverviewProps) {
  const [{ asset }, setFilter] = useAddressed('money', NO_FILTER);
  const path = `resources/accounts?limit=${MOST_ACCOUNTS}`;
  const { data, problem, again } = useReading<readonly SandboxResource[]>(path);
  const prices = usePrices();
  const { data: check } = useReading<BooksCheck>('books/check');
  // The oldest stand first: those of the fixtures.
  const accounts = data?.toReversed() ?? [];
  const shown = accounts.filter(({ id }) => account === '' || id === account);
  const assets = [...new Set(accounts.flatMap(({ holdings = [] }) => holdings.map((one) => one.asset)))].sort();
  const known = account === '' ? {} : { account };
  return (
    <div class="money">
      <Verdict check={check} />
      <search class="bar">
        <Select
          label="Account"
          value={account}
          all="all accounts"
          of={accounts.map((one) => [one.id, `${ownerOf(one)} ${one.id}`])}
          onChange={choose}
        />
        <Select
          label="Asset"
          value={asset}
          all="all assets"
          of={assets}
          onChange={(next) => setFilter({ asset: next })}
        />
      </search>
      <Panel title="Balances" hint="A total leads to every change of the balance.">
        {problem !== undefined && <p class="note">{problem}</p>}
        {data === undefined ? (
          <p class="empty">Loading …</p>
        ) : (
          <Balances accounts={shown} asset={asset} prices={prices} />
        )}
        <p>
          <button type="button" onClick={() => download('balances.csv', 'text/csv', csvOfBalances(shown))}>
            Export CSV
          </button>
        </p>
        <Forms key={account} specs={[depositForm(known), balanceForm(known)]} onDone={again} />
      </Panel>
      <Postings live={live} account={account} asset={asset} />
      <Proof live={live} check={check} />
    </div>
  );
}

/** US dollars of one unit, by asset. */
function usePrices(): ReadonlyMap<string, string> {
  const { data = [] } = useReading<readonly SandboxResource[]>('resources/assets?limit=1000');
  return new Map(
    data.flatMap(({ record }) => {
      const { type, symbol, usd } = record as Readonly<Partial<Record<string, string>>>;
      return usd === undefined ? [] : [[`${type}:${symbol}`, usd] as const];
    }),
  );
}

function choose(account: string): void {
  const { view } = currentRoute();
  if (account === '') go(view);
  else go(view, account);
}

const csvOfBalances = (accounts: readonly SandboxResource[]): string =>
  csvOf([
    ['account', 'owner', 'asset', 'total', 'available', 'held', 'held_by'],
    ...accounts.flatMap((one) =>
      (one.holdings ?? []).map(({ asset, total, available, held, heldBy }) => [
        ...[one.id, ownerOf(one), asset, total, available, held],
        heldBy.map(({ resource, id, amount }) => `${resource} ${id} ${amount}`).join('; '),
      ]),
    ),
  ]);
