import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { calls } from '../parts/calls.js';
import { Icon } from '../parts/icons.js';
import { toneOf } from '../parts/marks.js';
import { finderOf, useFound } from '../parts/search.js';
import { go, setQuery } from '../wire/address.js';
import { call } from '../wire/api.js';
import { live } from '../wire/live.js';
import { VIEWS } from './views.js';

/** Something to jump to, or to do. */
interface Target {
  readonly key: string;
  readonly icon: string;
  readonly text: string;
  readonly more?: string | undefined;
  readonly tone?: string;
  act(): unknown;
}

/** Calls, and resources, that are listed. */
const SHOWN = 8;

/** The views, and what can be done from everywhere. */
const places = (): Target[] => [
  ...VIEWS.map(({ name, title }) => ({ key: name, icon: name, text: title, act: () => go(name) })),
  act('Move the clock on by a minute', 'clock/advance', 60_000),
  act('Stop all faults', 'troubles/clear'),
  act('Fail the next two calls with 503', 'troubles/add', { does: 503, times: 2 }),
];

const act = (text: string, method: string, ...args: readonly unknown[]): Target => ({
  key: text,
  icon: 'try',
  text,
  act: () => call(method, ...args),
});

/** The calls that fit, and the way to all of them. */
function callsWith(text: string, found: ReadonlySet<number>): Target[] {
  const hasText = finderOf(text);
  const fitting = calls.value.filter(({ attempts }) => attempts.some((one) => found.has(one.seq) || hasText(one)));
  if (fitting.length === 0) return [];
  const all: Target = {
    key: 'all',
    icon: 'requests',
    text: `All ${fitting.length.toLocaleString('en')} requests with “${text}”`,
    act: () => {
      go('requests');
      setQuery({ text });
    },
  };
  const some = fitting.slice(0, SHOWN).map(
    ({ last }): Target => ({
      key: `call ${last.seq}`,
      icon: 'requests',
      text: last.operation ?? `${last.method} ${last.path}`,
      more: [last.status ?? 'no response', last.subject, last.reason].filter(Boolean).join(' · '),
      tone: toneOf(last.status),
      act: () => go('requests', last.seq),
    }),
  );
  // An id of one request is wanted for it, and not for the list.
  return fitting.length === 1 ? some : [...some, all];
}

/** The resources whose id fits, of those that have changed. */
function resourcesWith(text: string): Target[] {
  const found = new Map<string, Target>();
  const wanted = text.toLowerCase();
  for (const entry of live.entries.value.toReversed()) {
    if (found.size >= SHOWN) break;
    if (entry.kind !== 'change' || !entry.id.toLowerCase().includes(wanted)) continue;
    const { resource, id, to } = entry;
    if (found.has(id)) continue;
    found.set(id, {
      key: id,
      icon: 'resources',
      text: `${resource} ${id}`,
      more: to,
      act: () => go('resources', resource, id),
    });
  }
  return [...found.values()];
}

/** Finds a request, a resource, a view or an act by a few letters. */
export function Jump({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const wanted = text.trim();
  const found = useFound(wanted);
  const targets = places().filter(({ text: name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  if (wanted !== '') targets.push(...resourcesWith(wanted), ...callsWith(instanceIn(wanted), found));
  const chosen = Math.min(at, targets.length - 1);
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const choose = (target: Target | undefined): void => {
    dialog.current?.close();
    setText('');
    setAt(0);
    target?.act();
  };
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') choose(targets[chosen]);
    else if (by !== undefined) setAt((chosen + by + targets.length) % Math.max(1, targets.length));
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="jump" aria-label="Search or jump to" closedby="any">
      <input
        type="search"
        aria-label="Search or jump to"
        aria-controls="jump-list"
        aria-activedescendant={targets.length === 0 ? undefined : `jump-${chosen}`}
        placeholder="An id, an instance, an amount, a holder, a view, an act"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id="jump-list" ref={list} role="listbox" aria-label="Found" class="choices">
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
          <div
            key={target.key}
            id={`jump-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => choose(target)}
          >
            <Icon name={target.icon} />
            <span>{target.text}</span>
            <span class={`tone-${target.tone ?? 'plain'}`}>{target.more}</span>
          </div>
        ))}
      </div>
      {targets.length === 0 && (
        <p class="empty">
          Nothing has it. The search looks into ids, operations, subjects, holders and reasons, and into the bodies of
          the newest 1,000 requests.
        </p>
      )}
      <p class="soft">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> goes there, <kbd>Esc</kbd> closes
      </p>
    </dialog>
  );
}

/** The id of an error response, wherever it stands in a line of a log; else the whole text. */
const instanceIn = (text: string): string =>
  /\breq_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/i.exec(text)?.[0].toLowerCase() ?? text;
