import { signal } from '@preact/signals';

const NAME = 'no single keys';

/** False: the reader has switched the keys off that act by themselves, such as `j`. */
export const hasSingleKeys = signal(localStorage.getItem(NAME) === null);

/** The switch survives a reload. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, 'true');
  hasSingleKeys.value = isOn;
}

/** True if a key belongs to a field of the page, to the browser, or to nobody. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !hasSingleKeys.peek()) return true;
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
}
