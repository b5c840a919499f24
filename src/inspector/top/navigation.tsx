import { calls } from '../parts/calls.js';
import { useReading } from '../parts/hooks.js';
import { Icon } from '../parts/icons.js';
import { hrefOf } from '../wire/address.js';
import type { ClockStatus, SandboxCheck, SandboxKey, WebhookOverview } from '../wire/sandbox.js';
import { VIEWS } from './views.js';

/** Views that have a place in the bar of a phone; *More* leads to the others. */
const IN_BAR = 4;

/** Those whose count is of what has gone wrong. */
const BAD = ['webhooks', 'checks'];

/** The counts beside the names of views. */
function useCounts(): Readonly<Record<string, number>> {
  const webhooks = useReading<readonly WebhookOverview[]>('webhooks').data ?? [];
  const checks = useReading<readonly SandboxCheck[]>('checks').data ?? [];
  return {
    requests: calls.value.length,
    webhooks: webhooks.reduce((sum, { failing }) => sum + failing, 0),
    time: useReading<ClockStatus>('clock').data?.planned ?? 0,
    keys: useReading<readonly SandboxKey[]>('keys').data?.length ?? 0,
    checks: checks.filter(({ status }) => status === 'failed').length,
  };
}

/** The views in three groups: at the side, as icons where it is narrow, and as a bar on a phone. */
export function Navigation({ shown, onMore }: { readonly shown: string; onMore(): void }) {
  const counts = useCounts();
  return (
    <nav class="navigation" aria-label="Views">
      {VIEWS.map(({ name, title, group }, index) => (
        <>
          {group !== undefined && <h2>{group}</h2>}
          <a
            key={name}
            href={hrefOf(name)}
            class={index < IN_BAR ? undefined : 'minor'}
            title={title}
            aria-current={name === shown ? 'page' : undefined}
          >
            <Icon name={name} />
            <span>{title}</span>
            {(counts[name] ?? 0) > 0 && (
              <i class={BAD.includes(name) ? 'count tone-bad' : 'count'}>{counts[name]?.toLocaleString('en')}</i>
            )}
          </a>
        </>
      ))}
      <button type="button" class="phone-only" onClick={onMore}>
        <Icon name="more" />
        <span>More</span>
      </button>
    </nav>
  );
}
