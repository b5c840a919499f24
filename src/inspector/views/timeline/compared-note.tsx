import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { hrefOf } from '../../parts/links/route.js';
import { summaryOf } from './summary.js';

interface ComparedNoteProps {
  /** As the address has it. */
  readonly seq: string;
  /** Undefined: the page does not keep it any more. */
  readonly entry: TimelineEntry | undefined;
  onStop(): void;
}

/** Names the request with which the open one is compared. */
export function ComparedNote({ seq, entry, onStop }: ComparedNoteProps) {
  return (
    <p class="note trace">
      <span>
        Comparing with{' '}
        <a href={hrefOf('timeline', seq)}>
          entry {seq}
          {entry !== undefined && `: ${summaryOf(entry).title}`}
        </a>
        . Open another request to see the difference.
      </span>
      <button type="button" onClick={onStop}>
        Stop comparing
      </button>
    </p>
  );
}
