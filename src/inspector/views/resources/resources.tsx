import { useEffect, useRef } from 'preact/hooks';
import type { ResourceKindInfo } from '../../../sandbox/drive/look/kinds.js';
import type { SandboxResource } from '../../../sandbox/drive/look/resources.js';
import { useAddressed } from '../../parts/addressed.js';
import { SearchField } from '../../parts/forms/search-field.js';
import { Select } from '../../parts/forms/select.js';
import { useReading } from '../../parts/hooks.js';
import { ownerOf } from '../../parts/links/holder.js';
import { hrefOf } from '../../parts/links/route.js';
import type { ViewProps } from '../../parts/view-props.js';
import { Details } from './details.js';
import { KindList } from './kind-list.js';
import { labelOf } from './values.js';

const FIRST_KIND = 'quotes';

/** A state belongs to one kind. */
const NO_FILTER = { account: '', text: '', kind: '', status: '' };

/** Everything that the service has, by kind, and what may be done with it. */
export function Resources({ live, id = FIRST_KIND }: ViewProps) {
  const end = id.indexOf('/');
  const [kind, selected] = end < 0 ? [id, undefined] : [id.slice(0, end), id.slice(end + 1)];
  const { data: kinds, problem } = useReading<readonly ResourceKindInfo[]>('resources');
  const { data: accounts = [] } = useReading<readonly SandboxResource[]>('resources/accounts');
  const [filter, setFilter] = useAddressed('resources', NO_FILTER);
  const { account, text } = filter;
  const status = filter.kind === kind ? filter.status : '';
  const info = kinds?.find((one) => one.kind === kind);
  return (
    <div class={selected === undefined ? 'resources split' : 'resources split has-details'}>
      <Sidebar kinds={kinds ?? []} shown={kind} />
      <div class="list scrolls">
        <search class="bar">
          <SearchField
            label="Search the resources"
            placeholder="Search: id, user, reference, address, amount"
            value={text}
            onText={(next) => setFilter({ ...filter, text: next })}
          />
          <Select
            label="Account"
            value={account}
            all="any account"
            of={accounts.map((one) => [one.id, `${ownerOf(one)} ${one.id}`])}
            onChange={(next) => setFilter({ ...filter, account: next })}
          />
          {info?.states !== undefined && (
            <Select
              label="State"
              value={status}
              all="any state"
              of={info.states}
              onChange={(next) => setFilter({ ...filter, kind, status: next })}
            />
          )}
        </search>
        {problem !== undefined && <p class="note">{problem}</p>}
        {kinds !== undefined && info === undefined && <p class="empty">There is no such kind of resource.</p>}
        {info !== undefined && (
          <KindList key={kind} info={info} selected={selected} account={account} status={status} text={text.trim()} />
        )}
      </div>
      {info !== undefined && selected !== undefined && <Details key={id} live={live} kind={kind} id={selected} />}
    </div>
  );
}

/** The kinds by what they are about. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Customers: ['users', 'verifications', 'accounts', 'limits'],
  Trading: ['quotes', 'onchainQuotes', 'priceTriggerSwaps', 'assets', 'earn'],
  Conversions: ['onDemandConversions', 'conversions', 'conversionRules'],
  Funding: ['deposits', 'expectedDeposits', 'withdrawals', 'transfers'],
  Destinations: ['wallets', 'bankLinks', 'withdrawalAddresses', 'fundingAddresses'],
};

interface SidebarProps {
  readonly kinds: readonly ResourceKindInfo[];
  readonly shown: string;
}

/** The kinds in groups; one that belongs to none is among the others. */
function Sidebar({ kinds, shown }: SidebarProps) {
  const bar = useRef<HTMLElement>(null);
  const isRead = kinds.length > 0;
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown, isRead]);
  const grouped = new Set(Object.values(GROUPS).flat());
  const others = kinds.map(({ kind }) => kind).filter((kind) => !grouped.has(kind));
  return (
    <aside ref={bar} class="kinds-bar" aria-label="Kinds of resources">
      {Object.entries({ ...GROUPS, Others: others }).map(([title, members]) => (
        <ul key={title} class="kinds" aria-label={title}>
          {members.flatMap((kind) => {
            const count = kinds.find((one) => one.kind === kind)?.count;
            if (count === undefined) return [];
            return (
              <li key={kind}>
                <a href={hrefOf('resources', kind)} aria-current={kind === shown ? 'true' : undefined}>
                  {labelOf(kind)} <span class="hint">{count}</span>
                </a>
              </li>
            );
          })}
        </ul>
      ))}
    </aside>
  );
}
