import type { TimelineEntry } from '../../../sandbox/timeline/entries.js';
import { timeOf } from '../../parts/format.js';
import { hrefOf } from '../../parts/route.js';
import { summaryOf } from './summary.js';

interface EntryRowProps {
  readonly entry: TimelineEntry;
  readonly isSelected: boolean;
}

export function EntryRow({ entry, isSelected }: EntryRowProps) {
  const { title, detail, tone } = summaryOf(entry);
  return (
    <li>
      <a class="row" href={hrefOf('timeline', entry.seq)} aria-current={isSelected ? 'true' : undefined}>
        <span class="time">{timeOf(entry.at)}</span>
        <span class={`kind kind-${entry.kind}`}>{entry.kind}</span>
        <span class="title">{title}</span>
        <span class={`detail tone-${tone}`}>{detail}</span>
      </a>
    </li>
  );
}
