import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { Asking } from './parts/actions/ask.js';
import { Notices } from './parts/actions/notice.js';
import { calls } from './parts/calls.js';
import { Header } from './top/header.js';
import { Jump } from './top/jump.js';
import { Navigation } from './top/navigation.js';
import { FirstCall } from './top/set-up.js';
import { useShortcuts } from './top/shortcuts.js';
import { VIEWS } from './top/views.js';
import { Checks } from './views/checks.js';
import { Faults } from './views/faults/faults.js';
import { Keys } from './views/keys.js';
import { Money } from './views/money/money.js';
import { Requests } from './views/requests/requests.js';
import { Resources } from './views/resources/resources.js';
import { Time } from './views/time/time.js';
import { Try } from './views/try/try.js';
import { Webhooks } from './views/webhooks/webhooks.js';
import { address } from './wire/address.js';
import { live } from './wire/live.js';

/** What each view shows, by its name in the address. */
const SHOWN: Readonly<Record<string, () => ComponentChildren>> = {
  requests: Requests,
  webhooks: Webhooks,
  money: Money,
  resources: Resources,
  try: Try,
  faults: Faults,
  time: Time,
  keys: Keys,
  checks: Checks,
};

export function App() {
  const { name, title } = VIEWS.find((one) => one.name === address.value.view) ?? {
    name: 'requests',
    title: 'Requests',
  };
  const View = SHOWN[name] ?? Requests;
  const jump = useRef<HTMLDialogElement>(null);
  const openJump = useCallback(() => jump.current?.showModal(), []);
  useShortcuts(openJump);
  useEffect(() => {
    document.title = `${title} · Partner sandbox`;
  }, [title]);
  return (
    <>
      <a class="hidden" href="#view">
        Skip to the view
      </a>
      <Header onJump={openJump} />
      <Navigation shown={name} onMore={openJump} />
      <Notes isHome={name === 'requests'} />
      <main id="view" tabIndex={-1}>
        <View />
      </main>
      <Jump dialog={jump} />
      <Asking />
      <Notices />
    </>
  );
}

/** Notes that stand above every view. */
function Notes({ isHome }: { readonly isHome: boolean }) {
  const isFirst = isHome && calls.value.length === 0;
  if (live.connection.value !== 'open' || live.isLoading.value || (live.isKept.value && !isFirst)) return null;
  return (
    <aside class="notes" aria-label="About this sandbox">
      {!live.isKept.value && (
        <p class="note" role="note">
          This sandbox keeps no timeline. You see its requests, without bodies, changes and postings. For all of it:{' '}
          <code>createSandbox({'{ inspect: true }'})</code>, or the command without <code>--set</code> of it.
        </p>
      )}
      {isFirst && <FirstCall />}
    </aside>
  );
}
