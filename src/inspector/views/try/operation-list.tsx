import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKept } from '../../parts/kept.js';
import { isTyping } from '../../parts/keyboard.js';
import { hrefOf } from '../../parts/links/route.js';
import type { Operation } from './document.js';

interface OperationListProps {
  readonly operations: readonly Operation[];
  /** The name of the one that is shown. */
  readonly selected: string | undefined;
}

/** All operations in their groups, and a search. */
export function OperationList({ operations, selected }: OperationListProps) {
  const [text, setText] = useKept('try search', '');
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event)) return;
      search.current?.focus();
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const wanted = text.trim().toLowerCase().split(/\s+/);
  const found = operations.filter((one) => {
    const all = `${one.name} ${one.title} ${one.method} ${one.path} ${one.stability}`.toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
  const groups = [...new Set(found.map(({ tag }) => tag))];
  return (
    <section class="operations" aria-label="Operations">
      <search class="bar">
        <input
          ref={search}
          type="search"
          placeholder="Search: quote, POST, webhooks  ( / )"
          aria-label="Search the operations"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </search>
      {found.length === 0 && <p class="empty">No operation matches.</p>}
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <ul>
            {found
              .filter(({ tag }) => tag === group)
              .map(({ name, title, method, stability }) => (
                <li key={name}>
                  <a href={hrefOf('try', name)} aria-current={name === selected ? 'true' : undefined}>
                    <span class="method">{method}</span> <span>{title}</span>
                    {stability !== 'specified' && <span class="mark"> {stability}</span>}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
