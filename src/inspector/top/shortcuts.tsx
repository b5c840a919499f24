import { useLayoutEffect } from 'preact/hooks';
import { Facts } from '../parts/facts.js';
import { isTyping } from '../parts/keyboard.js';
import { go } from '../wire/address.js';
import { VIEWS } from './views.js';

/** The second key must come within this time. */
const SECOND_KEY_MS = 2_000;

/** Keys that work everywhere: ⌘K, and the single ones if they are on. */
export function useShortcuts(onJump: () => void): void {
  // At once: a key that is pressed before an effect has run would be lost.
  useLayoutEffect(() => {
    let goneAt = Number.NEGATIVE_INFINITY;
    const press = (event: KeyboardEvent): void => {
      const isJump = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey);
      if (!isJump && (isTyping(event) || event.defaultPrevented)) return;
      // When the key was pressed: a busy page hears of it later.
      const isSecond = event.timeStamp - goneAt < SECOND_KEY_MS;
      goneAt = Number.NEGATIVE_INFINITY;
      const view = isSecond ? VIEWS.find(({ letter }) => letter === event.key) : undefined;
      if (isJump) onJump();
      else if (view !== undefined) go(view.name);
      else if (event.key === 'g') goneAt = event.timeStamp;
      else if (event.key === '/') focusSearch(onJump);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [onJump]);
}

/** The search of the view, or the jump if it has none. */
function focusSearch(onJump: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field === null) onJump();
  else field.focus();
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K, ⌘ K', 'search, or jump to a request, a resource, a view or an act'],
  ['↑ ↓', 'from row to row in a list'],
  ['Enter, Escape', 'into the details of a row, and back'],
  ['/', 'search in this view'],
  ['j, k', 'open the next row, the row before'],
  ...VIEWS.map(({ letter, title }) => [`g ${letter}`, title] as const),
];

/** All keys, and what they do. */
export const KeyList = () => <Facts facts={KEYS.map(([keys, what]) => [<kbd>{keys}</kbd>, what])} />;
