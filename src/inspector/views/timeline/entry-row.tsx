import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { hrefOf } from '../../parts/links/route.js';
import { momentOf, timeOf } from '../../parts/values/format.js';
import { summaryOf } from './summary.js';

interface EntryRowProps {
  readonly entry: TimelineEntry;
  readonly isSelected: boolean;
}

export function EntryRow({ entry, isSelected }: EntryRowProps) {
  const { title, result, detail, tone } = summaryOf(entry);
  const time = timeOf(entry.at);
  const isRequest = entry.kind === 'request';
  const weight = isRequest ? 'is-request' : entry.cause === undefined ? 'is-minor' : 'is-minor is-effect';
  return (
    <li>
      <a class={`row ${weight}`} href={hrefOf('timeline', entry.seq)} aria-current={isSelected ? 'true' : undefined}>
        <span class="time" title={momentOf(entry.at)}>
          {time.slice(0, 8)}
          <span class="millis">{time.slice(8)}</span>
        </span>
        <span class="kind">{isRequest ? entry.method : entry.kind}</span>
        <span class="what">
          <span class="title">{title}</span>
          {result !== undefined && <span class={`badge tone-${tone}`}>{result}</span>}
          <span class={result === undefined ? `detail tone-${tone}` : 'detail'}>{detail}</span>
        </span>
      </a>
    </li>
  );
}
