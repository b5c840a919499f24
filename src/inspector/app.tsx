import { useEffect } from 'preact/hooks';
import { ClockBar } from './parts/clock-bar.js';
import { useLive } from './parts/hooks.js';
import { hrefOf, useRoute } from './parts/route.js';
import { Timeline } from './views/timeline.js';
import type { Live } from './wire/live.js';

interface ViewProps {
  readonly live: Live;
  readonly id: string | undefined;
}

/** The views by the name in the address, in the order of the navigation. */
const VIEWS = new Map<
  string,
  { readonly title: string; readonly View: (props: ViewProps) => preact.ComponentChildren }
>([['timeline', { title: 'Timeline', View: Timeline }]]);

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
