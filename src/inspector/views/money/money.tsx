import { asChoices, type Choice, Picker, Search, Segments } from '../../parts/choices.js';
import { useReading } from '../../parts/hooks.js';
import { BOOKS, ownerOf } from '../../parts/links/holder.js';
import { ReadingState, Split } from '../../parts/pane.js';
import { address, addressed } from '../../wire/address.js';
import type { SandboxResource } from '../../wire/sandbox.js';
import { BalancePane } from './balance.js';
import { Balances } from './balances.js';
import { Postings } from './postings.js';

/** Accounts that are read at most. */
const MOST_ACCOUNTS = 500;

const PARTS: readonly Choice[] = [
  ['balances', 'Balances'],
  ['postings', 'Postings'],
];

const show = addressed('show', 'balances');
const text = addressed('text');
const account = addressed('account');
const asset = addressed('asset');

/** Balances of all accounts, their movements, and the proof that no money is made or lost. */
export function Money() {
  const { id } = address.value;
  const [owner = '', opened] = id?.split('/') ?? [];
  const reading = useReading<readonly SandboxResource[]>(`resources/accounts?limit=${MOST_ACCOUNTS}`);
  // The oldest come first: those of the fixtures.
  const accounts = reading.data?.toReversed() ?? [];
  const assets = [...new Set(accounts.flatMap(({ holdings = [] }) => holdings.map((one) => one.asset)))].sort();
  const owners = accounts.map((one) => [one.id, ownerOf(one)] as const);
  const wanted = text.value.trim().toLowerCase();
  return (
    <Split label="Money" pane={opened !== undefined && <BalancePane key={id} account={owner} asset={opened} />}>
      <search class="bar">
        <Segments label="What is shown" of={PARTS} value={show.value} onChange={show.set} />
        {show.value === 'postings' ? (
          <Picker
            label="account"
            filter={account}
            of={() => [...owners, ...asChoices(BOOKS)]}
            shownAs={(id) => new Map(owners).get(id) ?? id}
          />
        ) : (
          <Search label="Search the accounts" filter={text} title="Holders and ids" />
        )}
        <Picker label="asset" filter={asset} of={() => asChoices(assets)} />
      </search>
      {show.value === 'postings' ? (
        <Postings account={account.value} asset={asset.value} />
      ) : reading.data === undefined ? (
        <ReadingState reading={reading} />
      ) : (
        <Balances
          accounts={accounts.filter((one) => `${one.id} ${ownerOf(one)}`.toLowerCase().includes(wanted))}
          assets={assets.filter((one) => asset.value === '' || one === asset.value)}
          opened={owner}
        />
      )}
    </Split>
  );
}
