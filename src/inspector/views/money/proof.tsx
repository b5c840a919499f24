import type { BooksCheck } from '../../../sandbox/kinds/registry/books.js';
import { useReading } from '../../parts/hooks.js';
import { BOOKS } from '../../parts/links/holder.js';
import { Panel } from '../../parts/panel.js';
import { type Column, Table } from '../../parts/table.js';
import { grouped, sumOf } from '../../parts/values/decimal.js';
import type { live as one } from '../../wire/live.js';

type BookSums = Readonly<Record<(typeof BOOKS)[number], Readonly<Record<string, string>>>>;

type Row = BooksCheck['assets'][number] & { readonly sums: Readonly<Record<string, string>> };

/** The proof that no money is made or lost, in a line. */
export function Verdict({ check }: { readonly check: BooksCheck | undefined }) {
  if (check === undefined) return null;
  const { isBalanced, assets, negative, unexplained } = check;
  const changed = assets.filter(({ change }) => change !== '0').map(({ asset, change }) => `${asset} by ${change}`);
  const places = (list: typeof negative): string =>
    list.map(({ account, asset }) => `${asset} of ${account}`).join(', ');
  return (
    <p role="status" class={isBalanced ? 'balanced tone-good' : 'balanced tone-bad'}>
      {isBalanced
        ? `✓ The books balance: no sum of the ${assets.length} assets has changed.`
        : [
            '✗ The books do not balance.',
            changed.length > 0 ? `Changed: ${changed.join(', ')}.` : '',
            negative.length > 0 ? `Below 0: ${places(negative)}.` : '',
            unexplained.length > 0 ? `Held by no order: ${places(unexplained)}.` : '',
          ].join(' ')}
    </p>
  );
}

/** The accounts and the counter-books, asset by asset: what one side gives the other receives. */
export function Proof({ check }: { readonly live: typeof one; readonly check: BooksCheck | undefined }) {
  const { data: books } = useReading<BookSums>('accounts/books');
  const rows = (check?.assets ?? []).map((one): Row => {
    const sums = Object.fromEntries(BOOKS.map((book) => [book, books?.[book][one.asset] ?? '0']));
    return { ...one, sums };
  });
  const columns: Column<Row>[] = [
    { title: 'asset', cell: ({ asset }) => asset },
    { title: 'all accounts', isNumber: true, cell: ({ accounts }) => grouped(accounts) },
    ...BOOKS.map((book) => ({ title: book, isNumber: true, cell: ({ sums }: Row) => grouped(sums[book] ?? '0') })),
    {
      title: 'sum',
      isNumber: true,
      cell: ({ accounts, sums }) => <strong>{grouped(sumOf([accounts, ...Object.values(sums)]))}</strong>,
    },
    {
      title: 'change',
      isNumber: true,
      cell: ({ change }) => (change === '0' ? '0 ✓' : <span class="tone-bad">{change} ✗</span>),
    },
  ];
  return (
    <Panel
      title="Counter-books"
      hint="The other side of each posting: exchange for swaps, fees for the platform, outside for deposits and payouts. If a sum changes, money was created or lost."
    >
      <Table
        caption="Sums by asset"
        columns={columns}
        rows={rows}
        keyOf={({ asset }) => asset}
        empty="There is no money yet."
      />
    </Panel>
  );
}
