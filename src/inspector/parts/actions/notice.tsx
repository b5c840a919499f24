import { signal } from '@preact/signals';
import { call, read } from '../../wire/api.js';
import type { ClockStatus } from '../../wire/sandbox.js';

/** Time in ms for which a notice stands, and with it the way back. */
const SHOWN_MS = 10_000;

interface Notice {
  readonly text: string;
  /** Absent: there is no way back. */
  readonly undo?: () => Promise<unknown>;
}

const shown = signal<Notice | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

function show(notice: Notice): void {
  clearTimeout(timer);
  shown.value = notice;
  timer = setTimeout(() => {
    shown.value = undefined;
  }, SHOWN_MS);
}

/** Takes a snapshot, acts, and offers the way back for ten seconds. */
export async function undoable(text: string, act: () => Promise<unknown>): Promise<void> {
  const [before, settings, { isRunning }] = await Promise.all([
    read('snapshot'),
    read('settings'),
    read<ClockStatus>('clock'),
  ]);
  await act();
  const undo = async (): Promise<void> => {
    await call('restore', before);
    // A snapshot has neither.
    await call('settings/update', settings);
    if (isRunning) await call('clock/start');
  };
  show({ text, undo });
}

/** What has just happened, with *Undo*, above every view. */
export function Notices() {
  const notice = shown.value;
  const undo = (): void => {
    notice?.undo?.().then(
      () => show({ text: 'The data, the keys and the clock are as they were.' }),
      (error: Error) => show({ text: `It could not be undone: ${error.message}` }),
    );
  };
  return (
    <div class="notices" role="status">
      {notice !== undefined && (
        <p class="notice">
          {notice.text}
          {notice.undo !== undefined && (
            <button type="button" onClick={undo}>
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
