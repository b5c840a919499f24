import { calls } from '../parts/calls.js';
import { useReading } from '../parts/hooks.js';
import { Icon } from '../parts/icons.js';
import { hrefOf } from '../wire/address.js';
import type { ClockStatus, SandboxCheck, SandboxKey, WebhookOverview } from '../wire/sandbox.js';
import { GROUPS } from './views.js';

/** How many there are in a view; `isBad`: of what has gone wrong. */
interface Count {
  readonly count: number;
  readonly isBad?: boolean;
}

/** The counts beside the names of views. */
function useCounts(): Readonly<Record<string, Count | undefined>> {
  const webhooks = useReading<readonly WebhookOverview[]>('webhooks').data ?? [];
  const planned = useReading<ClockStatus>('clock').data?.planned ?? 0;
  const keys = useReading<readonly SandboxKey[]>('keys').data ?? [];
  const checks = useReading<readonly SandboxCheck[]>('checks').data ?? [];
  return {
    requests: { count: calls.value.length },
    webhooks: { count: webhooks.reduce((sum, { failing }) => sum + failing, 0), isBad: true },
    time: { count: planned },
    keys: { count: keys.length },
    checks: { count: checks.filter(({ status }) => status === 'failed').length, isBad: true },
  };
}

/** The views in three groups: at the side, as icons where it is narrow, and as a bar on a phone. */
export function Navigation({ shown, onMore }: { readonly shown: string; onMore(): void }) {
  const counts = useCounts();
  return (
    <nav class="navigation" aria-label="Views">
      {GROUPS.map(([title, views], group) => (
        <>
          {title !== '' && <h2>{title}</h2>}
          {views.map(({ name, title: text }) => (
            <a
              key={name}
              href={hrefOf(name)}
              class={group === 0 ? undefined : 'minor'}
              title={text}
              aria-current={name === shown ? 'page' : undefined}
            >
              <Icon name={name} />
              <span>{text}</span>
              <Counted {...counts[name]} />
            </a>
          ))}
        </>
      ))}
      <button type="button" class="phone-only" onClick={onMore}>
        <Icon name="more" />
        <span>More</span>
      </button>
    </nav>
  );
}

function Counted({ count = 0, isBad = false }: Partial<Count>) {
  if (count === 0) return null;
  return <i class={isBad ? 'count tone-bad' : 'count'}>{count.toLocaleString('en')}</i>;
}
