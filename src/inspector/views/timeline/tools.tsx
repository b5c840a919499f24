import type { TimelineEntry } from '../../../sandbox/drive/timeline/entries.js';
import { Action } from '../../parts/actions/action.js';
import { Menu } from '../../top/menu.js';
import { Export } from './export.js';

interface ToolsProps {
  readonly shown: readonly TimelineEntry[];
  /** Number of entries before the filters. */
  readonly total: number;
  /** Entries that came while the list stands still. Undefined: it moves. */
  readonly waiting: number | undefined;
  onPause(): void;
  onClear(): void;
  /** Number of the rows of the start; 0: there are none. */
  readonly startCount: number;
  readonly isStartShown: boolean;
  onStart(): void;
  readonly areErrorsShown: boolean;
  onErrors(): void;
}

/** Actions for the whole list. */
export function Tools({ shown, total, waiting, onPause, onClear, ...start }: ToolsProps) {
  const { startCount, isStartShown, onStart, areErrorsShown, onErrors } = start;
  return (
    <div class="handles">
      <span class="count">
        {shown.length === total
          ? `${total.toLocaleString('en')} entries`
          : `${shown.length.toLocaleString('en')} of ${total.toLocaleString('en')} entries`}
      </span>
      {startCount > 0 && (
        <button type="button" class="quiet" aria-expanded={isStartShown} onClick={onStart}>
          {isStartShown ? 'Hide ' : 'Show '}
          {startCount} start-up rows
        </button>
      )}
      <span>
        <button type="button" aria-pressed={areErrorsShown} onClick={onErrors}>
          Errors
        </button>
        <button type="button" aria-pressed={waiting !== undefined} onClick={onPause}>
          {waiting === undefined ? 'Pause' : waiting === 0 ? 'Resume' : `Resume (${waiting} new)`}
        </button>
        <Action label="Clear" method="requests/clear" done="" onDone={onClear} />
        <Menu label="Export what is shown" title="Export">
          <Export entries={shown} />
        </Menu>
      </span>
    </div>
  );
}
