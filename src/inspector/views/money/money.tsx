import { Chip, type Choice, ChoiceList, Segments } from '../../parts/choices.js';
import { SearchField } from '../../parts/forms/search-field.js';
import { useReading } from '../../parts/hooks.js';
import { BOOKS, ownerOf } from '../../parts/links/holder.js';
import { ReadingState, Split } from '../../parts/pane.js';
import { type Addressed, address, addressed } from '../../wire/address.js';
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
  const owners: Choice[] = accounts.map((one) => [one.id, ownerOf(one) || one.id]);
  const wanted = text.value.trim().toLowerCase();
  return (
    <Split label="Money" pane={opened !== undefined && <BalancePane key={id} account={owner} asset={opened} />}>
      <search class="bar">
        <Segments label="What is shown" of={PARTS} value={show.value} onChange={show.set} />
        {show.value === 'postings' ? (
          <Filter label="account" by={account} of={[...owners, ...BOOKS.map((book): Choice => [book, book])]} />
        ) : (
          <SearchField label="Search the accounts" placeholder="Holder or id" value={text.value} onText={text.set} />
        )}
        <Filter label="asset" by={asset} of={assets.map((one) => [one, one])} />
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

interface FilterProps {
  readonly label: string;
  readonly by: Addressed;
  readonly of: readonly Choice[];
}

function Filter({ label, by, of }: FilterProps) {
  const [, shown = by.value] = of.find(([value]) => value === by.value) ?? [];
  return (
    <Chip label={label} shown={shown} onClear={() => by.set('')}>
      {(close) => (
        <ChoiceList
          label={`${label}s`}
          of={of}
          onChoose={(value) => {
            by.set(value);
            close();
          }}
        />
      )}
    </Chip>
  );
}
