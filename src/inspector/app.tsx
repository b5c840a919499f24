import { useEffect } from 'preact/hooks';
import { useLive } from './parts/hooks.js';
import { hrefOf, useRoute } from './parts/links/route.js';
import type { ViewProps } from './parts/view-props.js';
import { FirstCall } from './top/set-up.js';
import { Top } from './top/top.js';
import { Checks } from './views/checks.js';
import { Faults } from './views/faults.js';
import { Keys } from './views/keys.js';
import { Money } from './views/money/money.js';
import { Resources } from './views/resources/resources.js';
import { Time } from './views/time.js';
import { Timeline } from './views/timeline/timeline.js';
import { Try } from './views/try/try.js';
import { Webhooks } from './views/webhooks/webhooks.js';
import type { Live } from './wire/live.js';

interface View {
  /** Name in the URL. */
  readonly name: string;
  readonly title: string;
  /** The key after `g` that leads to it. */
  readonly letter: string;
  readonly View: (props: ViewProps) => preact.ComponentChildren;
}

/** In the order of the navigation. */
const VIEWS: readonly [View, ...View[]] = [
  { name: 'timeline', title: 'Timeline', letter: 't', View: Timeline },
  { name: 'resources', title: 'Resources', letter: 'r', View: Resources },
  { name: 'money', title: 'Money', letter: 'm', View: Money },
  { name: 'webhooks', title: 'Webhooks', letter: 'w', View: Webhooks },
  { name: 'faults', title: 'Faults', letter: 'f', View: Faults },
  { name: 'time', title: 'Time', letter: 'i', View: Time },
  { name: 'keys', title: 'Keys', letter: 'k', View: Keys },
  { name: 'try', title: 'Try it', letter: 'y', View: Try },
  { name: 'checks', title: 'Checks', letter: 'c', View: Checks },
];

export function App({ live }: { readonly live: Live }) {
  const { view, id } = useRoute();
  const shown = VIEWS.find(({ name }) => name === view) ?? VIEWS[0];
  useEffect(() => {
    document.title = `${shown.title} · Partner sandbox`;
    // A narrow page shows a part of the navigation.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [shown]);
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <Top live={live} views={VIEWS} />
      <nav aria-label="Views">
        {VIEWS.map(({ name, title }) => (
          <a key={name} href={hrefOf(name)} aria-current={name === shown.name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Notes live={live} isHome={shown === VIEWS[0]} />
      <main id="view" tabIndex={-1}>
        <shown.View live={live} id={id} />
      </main>
    </>
  );
}

interface NotesProps {
  readonly live: Live;
  readonly isHome: boolean;
}

/** Notes that stand above every view. */
function Notes({ live, isHome }: NotesProps) {
  useLive(live);
  if (live.connection !== 'open') return null;
  return (
    <>
      {!live.isKept && (
        <aside aria-label="Of this sandbox">
          <p class="note" role="note">
            This sandbox keeps no timeline. You see its requests, without bodies, changes and postings. For all of it:{' '}
            <code>createSandbox({'{ inspect: true }'})</code>, or the command without <code>--set</code> of it.
          </p>
        </aside>
      )}
      {isHome && !live.entries.some(({ kind }) => kind === 'request') && <FirstCall />}
    </>
  );
}
