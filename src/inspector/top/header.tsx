import { useEffect } from 'preact/hooks';
import { useReading, useSeconds } from '../parts/hooks.js';
import { Pill, type Tone } from '../parts/marks.js';
import { useTroubles } from '../parts/troubles.js';
import { spanOf, timeOf } from '../parts/values/times.js';
import { counted } from '../parts/values/words.js';
import { hrefOf } from '../wire/address.js';
import { live } from '../wire/live.js';
import type { BooksCheck, WebhookOverview } from '../wire/sandbox.js';
import { ClockMenu } from './clock-menu.js';
import { SandboxMenu } from './sandbox-menu.js';

/**
 * The line above every view: the clock, the books and the health as three quiet pills, and the
 * jump.
 */
export function Header({ onJump }: { onJump(): void }) {
  return (
    <header class="top">
      <span class="logo" />
      <h1>Partner sandbox</h1>
      <ClockMenu />
      <Books />
      <Health />
      <button type="button" class="jump-field" onClick={onJump}>
        <span>Search or jump to …</span> <kbd class="minor">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <SandboxMenu />
      <Connection />
    </header>
  );
}

const isMac = navigator.platform.startsWith('Mac');

/** The proof that no money was made or lost. */
function Books() {
  const { data } = useReading<BooksCheck>('books/check');
  if (data === undefined) return null;
  return (
    <span class="minor">
      <Pill tone={data.isBalanced ? 'plain' : 'bad'} href={hrefOf('money')}>
        {data.isBalanced ? 'Books balance' : 'Books do not balance'}
      </Pill>
    </span>
  );
}

/** What goes wrong at present, first what the reader did not ask for. */
function Health() {
  const faults = useTroubles().data?.length ?? 0;
  const webhooks = useReading<readonly WebhookOverview[]>('webhooks').data ?? [];
  const failing = webhooks.filter((one) => one.failing > 0);
  const isDown = failing.some((one) => (one.successShare ?? 0) > 0);
  const [text, tone, view]: [string, Tone, string] =
    live.connection.value === 'lost'
      ? ['Connection lost', 'bad', 'requests']
      : failing.length > 0
        ? // A receiver that has never answered may not be up yet.
          [`${counted(failing.length, 'receiver')} down`, isDown ? 'bad' : 'plain', 'webhooks']
        : faults > 0
          ? [counted(faults, 'fault'), 'warn', 'faults']
          : ['All well', 'plain', 'checks'];
  return (
    <Pill tone={tone} href={hrefOf(view)}>
      {text}
    </Pill>
  );
}

const STATES = { connecting: 'Connecting …', open: 'The page is live', lost: 'The connection is lost' } as const;

/** A lost connection dims the page: what it shows may be old. */
function Connection() {
  const isLost = live.connection.value === 'lost';
  const lostAt = live.lostAt.value;
  useEffect(() => {
    document.documentElement.classList.toggle('is-lost', isLost);
  }, [isLost]);
  useSeconds(isLost);
  return (
    <>
      <span role="status" class="hidden">
        {STATES[live.connection.value]}
      </span>
      {isLost && lostAt !== undefined && (
        <p class="lost tone-bad" role="alert">
          No connection since {timeOf(lostAt).slice(0, 8)} UTC, for {spanOf(Math.max(1_000, Date.now() - lostAt))}. Is
          the sandbox running?
        </p>
      )}
    </>
  );
}
