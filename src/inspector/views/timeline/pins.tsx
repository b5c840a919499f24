import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { EntryRow } from './entry-row.js';

interface PinsProps {
  readonly pins: readonly TimelineEntry[];
  readonly selected: number | undefined;
  onUnpin(entry: TimelineEntry): void;
}

/**
 * Entries that the reader keeps at the top. They stay when others are filtered out or forgotten.
 */
export function Pins({ pins, selected, onUnpin }: PinsProps) {
  if (pins.length === 0) return null;
  return (
    <section class="pins" aria-label="Pinned entries">
      {pins.map((entry) => (
        <div class="pin" key={entry.seq}>
          <ul>
            <EntryRow entry={entry} isSelected={entry.seq === selected} />
          </ul>
          <button type="button" class="quiet" aria-label={`Unpin entry ${entry.seq}`} onClick={() => onUnpin(entry)}>
            unpin
          </button>
        </div>
      ))}
    </section>
  );
}
