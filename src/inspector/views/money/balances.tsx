import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import type { AccountHolding } from '../../../sandbox/kinds/registry/books.js';
import { ownerOf } from '../../parts/links/holder.js';
import { hrefOf } from '../../parts/links/route.js';

/** Accounts that are shown at most: the filter leads to the others. */
const MOST_ACCOUNTS = 20;

interface BalancesProps {
  readonly accounts: readonly SandboxResource[];
  /** For example `crypto:BTC`; all if it is empty. */
  readonly asset: string;
}

/** Balances of every account. A balance leads to its story. */
export function Balances({ accounts, asset }: BalancesProps) {
  const groups = accounts
    .map((account) => ({
      account,
      rows: (account.holdings ?? []).filter((one) => asset === '' || one.asset === asset),
    }))
    .filter(({ rows }) => rows.length > 0);
  if (groups.length === 0) return <p class="empty">No account holds it.</p>;
  const shown = groups.slice(0, MOST_ACCOUNTS);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <section class="table balances" aria-label="Balances" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">asset</th>
              <th scope="col" class="number">
                total
              </th>
              <th scope="col" class="number">
                available
              </th>
              <th scope="col">held</th>
            </tr>
          </thead>
          {shown.map(({ account, rows }) => (
            <tbody key={account.id}>
              <tr>
                <th scope="rowgroup" colSpan={4}>
                  {ownerOf(account)} <a href={hrefOf('resources', 'accounts', account.id)}>{account.id}</a>
                </th>
              </tr>
              {rows.map((holding) => (
                <tr key={holding.asset}>
                  <td>{holding.asset}</td>
                  <td class="number">
                    <a
                      href={hrefOf('money', account.id, holding.asset)}
                      aria-label={`${holding.total} ${holding.asset} of ${account.id}: how it came to be`}
                    >
                      {holding.total}
                    </a>
                  </td>
                  <td class="number">{holding.available}</td>
                  <td>
                    <HeldBy holding={holding} />
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </section>
      {groups.length > shown.length && (
        <p class="note">
          {shown.length} of {groups.length} accounts: choose one to see it.
        </p>
      )}
    </>
  );
}

/** The amount that orders hold, and which. */
export function HeldBy({ holding: { held, heldBy } }: { readonly holding: AccountHolding }) {
  if (held === '0') return <>–</>;
  return (
    <>
      {held}
      {heldBy.length > 0 && ' by '}
      {heldBy.slice(0, MOST_ORDERS).map(({ resource, id, amount }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={hrefOf('resources', resource, id)}>
            {resource} {id.slice(0, 8)}
          </a>{' '}
          ({amount})
        </span>
      ))}
      {heldBy.length > MOST_ORDERS && ` and ${heldBy.length - MOST_ORDERS} more`}
    </>
  );
}

/** Orders that are named. */
const MOST_ORDERS = 5;
