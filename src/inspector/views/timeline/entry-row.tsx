import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { hrefOf } from '../../parts/links/route.js';
import { timeOf } from '../../parts/values/format.js';
import { summaryOf } from './summary.js';

interface EntryRowProps {
  readonly entry: TimelineEntry;
  readonly isSelected: boolean;
}

export function EntryRow({ entry, isSelected }: EntryRowProps) {
  const { title, detail, tone } = summaryOf(entry);
  const time = timeOf(entry.at);
  return (
    <li>
      <a class="row" href={hrefOf('timeline', entry.seq)} aria-current={isSelected ? 'true' : undefined}>
        <span class="time">
          {time.slice(0, 8)}
          <span class="millis">{time.slice(8)}</span>
        </span>
        <span class={`kind kind-${entry.kind}`}>{entry.kind}</span>
        <span class="title">{title}</span>
        <span class={`detail tone-${tone}`}>{detail}</span>
      </a>
    </li>
  );
}
