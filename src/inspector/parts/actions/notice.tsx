import { signal } from '@preact/signals';
import { call, read } from '../../wire/api.js';

/** Time in ms for which a notice stands, and with it the way back. */
const SHOWN_MS = 10_000;

interface Notice {
  readonly text: string;
  undo(): Promise<unknown>;
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

const NOTHING = (): Promise<void> => Promise.resolve();

/** Takes a snapshot, acts, and offers the way back for ten seconds. */
export async function undoable(text: string, act: () => Promise<unknown>): Promise<void> {
  const before = await read('snapshot');
  await act();
  show({ text, undo: () => call('restore', before) });
}

/** What has just happened, with *Undo*, above every view. */
export function Notices() {
  const notice = shown.value;
  const undo = (): void => {
    const say = (text: string): void => show({ text, undo: NOTHING });
    notice?.undo().then(
      () => say('Everything is as it was.'),
      (error: Error) => say(`It could not be undone: ${error.message}`),
    );
  };
  return (
    <div class="notices" role="status">
      {notice !== undefined && (
        <p class="notice">
          {notice.text}
          {notice.undo !== NOTHING && (
            <button type="button" onClick={undo}>
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
