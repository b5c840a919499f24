import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { Action } from '../../parts/actions/action.js';
import { Export } from './export.js';

interface ToolsProps {
  readonly shown: readonly TimelineEntry[];
  /** Number of entries before the filters. */
  readonly total: number;
  /** Entries that came while the list stands still. Undefined: it moves. */
  readonly waiting: number | undefined;
  onPause(): void;
  onClear(): void;
}

/** Actions for the whole list. */
export function Tools({ shown, total, waiting, onPause, onClear }: ToolsProps) {
  return (
    <div class="handles">
      <span class="count">
        {shown.length === total
          ? `${total.toLocaleString('en')} entries`
          : `${shown.length.toLocaleString('en')} of ${total.toLocaleString('en')} entries`}
      </span>
      <button type="button" aria-pressed={waiting !== undefined} onClick={onPause}>
        {waiting === undefined ? 'Pause' : waiting === 0 ? 'Go on' : `Go on (${waiting} new)`}
      </button>
      <Action label="Clear" method="requests/clear" done="" onDone={onClear} />
      <Export entries={shown} />
    </div>
  );
}
