import { asChoices, Picker, Search } from '../../parts/choices.js';
import { Select } from '../../parts/forms/select.js';
import { useReading } from '../../parts/hooks.js';
import { useHolders } from '../../parts/links/holder.js';
import { Split } from '../../parts/pane.js';
import { address, addressed, hrefHere, step } from '../../wire/address.js';
import type { ResourceKindInfo } from '../../wire/sandbox.js';
import { KindList } from './kind-list.js';
import { ResourcePane } from './pane.js';
import { labelOf } from './values.js';

/** The kinds by what they are about. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Customers: ['users', 'verifications', 'accounts', 'limits'],
  Trading: ['quotes', 'onchainQuotes', 'priceTriggerSwaps', 'assets', 'earn'],
  Conversions: ['onDemandConversions', 'conversions', 'conversionRules'],
  Funding: ['deposits', 'expectedDeposits', 'withdrawals', 'transfers'],
  Destinations: ['wallets', 'bankLinks', 'withdrawalAddresses', 'fundingAddresses', 'webhooks'],
};

const text = addressed('text');
const account = addressed('account');
const state = addressed('state');

/** Everything that the service has, by kind, and what may be done with it. */
export function Resources() {
  const [kind = '', ...rest] = (address.value.id ?? 'quotes').split('/');
  const selected = rest.length === 0 ? undefined : rest.join('/');
  const { data: kinds, problem } = useReading<readonly ResourceKindInfo[]>('resources');
  const holders = useHolders();
  const info = kinds?.find((one) => one.kind === kind);
  // A state belongs to some kinds alone.
  const status = info?.states?.includes(state.value) === true ? state.value : '';
  return (
    <div class="resources">
      <Kinds kinds={kinds ?? []} shown={kind} />
      <Split
        label="Resources"
        pane={info !== undefined && selected !== undefined && <ResourcePane key={selected} info={info} id={selected} />}
      >
        <search class="bar">
          <Select
            label="Kind"
            value={kind}
            of={kinds?.map((one) => [one.kind, `${labelOf(one.kind)} ${one.count}`]) ?? []}
            onChange={(next) => step(next)}
          />
          <Search label="Search the resources" filter={text} title="Ids, users, amounts, states" />
          <Picker label="account" filter={account} of={() => [...holders]} shownAs={(id) => holders.get(id) ?? id} />
          {info?.states !== undefined && (
            <Picker label="state" filter={state} of={() => asChoices(info.states ?? [])} shownAs={() => status} />
          )}
        </search>
        {problem !== undefined && <p class="note">{problem}</p>}
        {kinds !== undefined && info === undefined && <p class="empty">There is no such kind of resource.</p>}
        {info !== undefined && (
          <KindList
            key={kind}
            info={info}
            selected={selected}
            filter={{ accountId: account.value, status, q: text.value.trim() }}
          />
        )}
      </Split>
    </div>
  );
}

interface KindsProps {
  readonly kinds: readonly ResourceKindInfo[];
  readonly shown: string;
}

/** The kinds in their groups, with the number of resources of each. */
function Kinds({ kinds, shown }: KindsProps) {
  return (
    <nav class="kinds" aria-label="Kinds of resources">
      {Object.entries(GROUPS).map(([title, members]) => (
        <ul key={title} aria-label={title}>
          <li class="soft">{title}</li>
          {kinds
            .filter(({ kind }) => members.includes(kind))
            .map(({ kind, count }) => (
              <li key={kind}>
                <a href={hrefHere(kind)} aria-current={kind === shown ? 'true' : undefined}>
                  {labelOf(kind)} <span class="count">{count.toLocaleString('en')}</span>
                </a>
              </li>
            ))}
        </ul>
      ))}
    </nav>
  );
}
