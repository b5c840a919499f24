import { hrefOf } from '../../wire/address.js';
import type { TimelineEntry } from '../../wire/sandbox.js';
import { summaryOf } from './summary.js';

/** Longer lists are cut: one move of the clock may have thousands of effects. */
const MAX_LINKS = 50;

/** Entries that belong to another, each as a link. Nothing if there are none. */
export function Links({ title, entries }: { readonly title: string; readonly entries: readonly TimelineEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul class="links">
        {entries.slice(0, MAX_LINKS).map((entry) => {
          const { title: name, result, detail, tone } = summaryOf(entry);
          return (
            <li key={entry.seq}>
              <a href={hrefOf('requests', entry.seq)}>
                <span class="soft">{entry.kind}</span> {name}{' '}
                {result !== undefined && <span class={`tone-${tone}`}>{result}</span>}{' '}
                <span class={result === undefined ? `tone-${tone}` : 'soft'}>{detail}</span>
              </a>
            </li>
          );
        })}
      </ul>
      {entries.length > MAX_LINKS && <p class="hint">… and {entries.length - MAX_LINKS} more.</p>}
    </section>
  );
}
