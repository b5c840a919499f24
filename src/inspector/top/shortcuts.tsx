import { useLayoutEffect, useRef } from 'preact/hooks';
import { FactList } from '../parts/fact-list.js';
import { isTyping } from '../parts/keyboard.js';
import { currentRoute, go } from '../parts/links/route.js';

/** A view as the keyboard reaches it: `g` and its letter, or `g` and its place. */
export interface KeyedView {
  readonly name: string;
  readonly title: string;
  readonly letter: string;
}

interface ShortcutsProps {
  readonly views: readonly KeyedView[];
  readonly onNextTimer: () => void;
}

/** The second key must come within this time. */
const SECOND_KEY_MS = 2_000;

/** The keys that work everywhere, and the list of all that `?` shows. */
export function Shortcuts({ views, onNextTimer }: ShortcutsProps) {
  const list = useRef<HTMLDialogElement>(null);
  // At once: a key that is pressed before an effect has run would be lost.
  useLayoutEffect(() => {
    let goneAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.defaultPrevented) return;
      // When the key was pressed: a busy page hears of it later.
      const isSecond = event.timeStamp - goneAt < SECOND_KEY_MS;
      goneAt = Number.NEGATIVE_INFINITY;
      const view = isSecond
        ? (views.find(({ letter }) => letter === event.key) ?? views[Number(event.key) - 1])
        : undefined;
      if (view !== undefined) go(view.name);
      else if (event.key === 'g') goneAt = event.timeStamp;
      else if (event.key === '.') onNextTimer();
      else if (event.key === '?') list.current?.showModal();
      else if (event.key === 'Escape' && list.current?.open !== true) closeDetails();
      else return;
      if (event.key !== 'Escape') event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [views, onNextTimer]);
  return (
    <>
      <button type="button" class="quiet" aria-label="Keys of this page" onClick={() => list.current?.showModal()}>
        ?
      </button>
      <dialog ref={list} aria-labelledby="keys-title" class="keys">
        <h2 id="keys-title">Keys</h2>
        <FactList
          facts={[
            ['/', 'search'],
            ['j, k', 'the next, the previous entry'],
            ['.', 'the clock moves to the next timer'],
            ['Escape', 'closes what is open'],
            ['?', 'this list'],
            ...views.map(({ letter, title }, index) => [`g ${letter}, g ${index + 1}`, title] as const),
          ].map(([keys, what]) => [<kbd>{keys}</kbd>, what])}
        />
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

/** The view without what of it is open. */
function closeDetails(): void {
  const { view, id } = currentRoute();
  if (id !== undefined) go(view);
}
