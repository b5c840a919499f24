import { useEffect } from 'preact/hooks';
import { ClockBar } from './parts/clock-bar.js';
import { useLive } from './parts/hooks.js';
import { hrefOf, useRoute } from './parts/route.js';
import type { ViewProps } from './parts/view-props.js';
import { Checks } from './views/checks/checks.js';
import { Faults } from './views/faults/faults.js';
import { Keys } from './views/keys/keys.js';
import { Money } from './views/money/money.js';
import { Resources } from './views/resources/resources.js';
import { Time } from './views/time/time.js';
import { Timeline } from './views/timeline/timeline.js';
import { Try } from './views/try/try.js';
import { Webhooks } from './views/webhooks/webhooks.js';
import type { Live } from './wire/live.js';

/** The views by the name in the address, in the order of the navigation. */
const VIEWS = new Map<
  string,
  { readonly title: string; readonly View: (props: ViewProps) => preact.ComponentChildren }
>([
  ['timeline', { title: 'Timeline', View: Timeline }],
  ['resources', { title: 'Resources', View: Resources }],
  ['money', { title: 'Money', View: Money }],
  ['webhooks', { title: 'Webhooks', View: Webhooks }],
  ['faults', { title: 'Faults & scenarios', View: Faults }],
  ['time', { title: 'Time', View: Time }],
  ['keys', { title: 'Keys', View: Keys }],
  ['try', { title: 'Try it', View: Try }],
  ['checks', { title: 'Checks', View: Checks }],
]);

export function App({ live }: { readonly live: Live }) {
  const { view, id } = useRoute();
  const shown = VIEWS.get(view) ?? VIEWS.get('timeline');
  useEffect(() => {
    document.title = `${shown?.title ?? ''} · Partner sandbox`;
  }, [shown]);
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <header class="top">
        <h1>Partner sandbox</h1>
        <ClockBar live={live} />
        <Connection live={live} />
      </header>
      <nav aria-label="Views">
        {[...VIEWS].map(([name, { title }]) => (
          <a key={name} href={hrefOf(name)} aria-current={name === view ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <main id="view" tabIndex={-1}>
        {shown !== undefined && <shown.View live={live} id={id} />}
      </main>
    </>
  );
}

const STATES = { connecting: 'connecting …', open: 'live', lost: 'no connection: is the sandbox running?' } as const;

function Connection({ live }: { readonly live: Live }) {
  useLive(live);
  return (
    <span role="status" class={`connection connection-${live.connection}`}>
      {STATES[live.connection]}
    </span>
  );
}
