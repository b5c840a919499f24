import { signal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isTyping } from './keyboard.js';

/** Number of rows drawn above and below the visible ones. */
const OVERSCAN_ROWS = 8;

/** As in the style sheet: a phone shows some rows in two lines. */
const ROW_PX = 32;
const PHONE_PX = 52;

const phone = matchMedia('(max-width: 640px)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});

/** The height of rows that have two lines on a phone. */
export const useRowPx = (): number => (isPhone.value ? PHONE_PX : ROW_PX);

/** True after Enter on a row: what it opens takes the focus. */
export const focusedRow = { isEntered: false };

/** What a row needs to be a part of its list. */
export interface RowState {
  /** Its place in the list has the tab stop. */
  readonly tabIndex: 0 | -1;
  readonly isSelected: boolean;
}

interface RowProps extends RowState {
  /** What it opens. */
  readonly href: string;
  /** Its classes, which say where its cells stand. */
  readonly look: string;
  readonly children: ComponentChildren;
}

/** A row of a list, as one link. */
export const Row = ({ href, look, tabIndex, isSelected, children }: RowProps) => (
  <li>
    <a class={`row ${look}`} href={href} tabIndex={tabIndex} aria-current={isSelected ? 'true' : undefined}>
      {children}
    </a>
  </li>
);

type Key = string | number;

interface ListProps<Item> {
  readonly items: readonly Item[];
  readonly label: string;
  keyOf(item: Item): Key;
  /** The key of what is open. */
  readonly selected?: Key | undefined;
  /** In CSS pixels, the same for all. Default: 32. */
  readonly rowPx?: number;
  /** False for a heading between rows, over which the arrows go. */
  isRow?(item: Item): boolean;
  /** Each row is an `li` with one link or button that has this `tabIndex`. */
  row(item: Item, state: RowState): ComponentChildren;
  /** Shows what an arrow has come to, if something is open. */
  onStep?(item: Item): void;
}

/**
 * A list of any length. Only the visible rows are elements. It is one tab stop: the arrows go from
 * row to row, `j` and `k` do so from everywhere, and Enter goes into what a row opens.
 */
export function List<Item>(props: ListProps<Item>) {
  const { items, label, keyOf, selected, rowPx = ROW_PX, isRow, row, onStep } = props;
  const box = useRef<HTMLDivElement>(null);
  const { top, height } = useWindow(box);
  const [active, setActive] = useState<Key>();
  useStill(box, props, rowPx);
  const isStep = (item: Item | undefined): item is Item => item !== undefined && isRow?.(item) !== false;
  const placeOf = (key: Key | undefined): number =>
    key === undefined ? -1 : items.findIndex((item) => isStep(item) && keyOf(item) === key);
  const chosen = placeOf(selected);
  const reached = placeOf(active);
  const stop = reached >= 0 ? reached : chosen >= 0 ? chosen : items.findIndex(isStep);
  // Before the page is painted: later it would undo how the user has scrolled since.
  useLayoutEffect(() => reveal(box.current, chosen, rowPx, true), [chosen < 0 ? undefined : selected, rowPx]);
  // Keys may come faster than the page draws: each goes on from the one before.
  const cursor = useRef({ place: stop, isOpen: false });
  cursor.current = { place: stop, isOpen: chosen >= 0 };

  const goTo = (to: number, isFocused: boolean): void => {
    const by = Math.sign(to - cursor.current.place);
    const near = Math.max(0, Math.min(items.length - 1, to));
    // Beside a heading is a row.
    const place = [near, near + by, near - by].find((one) => isStep(items[one])) ?? -1;
    const item = items[place];
    if (item === undefined) return;
    cursor.current = { place, isOpen: true };
    setActive(keyOf(item));
    reveal(box.current, place, rowPx);
    if (selected !== undefined || !isFocused) onStep?.(item);
    if (isFocused) requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') focusedRow.isEntered = true;
    const { place } = cursor.current;
    const page = Math.max(1, Math.floor(height / rowPx) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -place, End: items.length - place };
    const by = (steps as Readonly<Record<string, number>>)[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    goTo(place + by, true);
  };
  useLetters((by) => {
    const { place, isOpen } = cursor.current;
    focusedRow.isEntered = true;
    goTo(isOpen ? place + by : place, false);
  }, onStep !== undefined);

  const first = Math.max(0, Math.floor(top / rowPx) - OVERSCAN_ROWS);
  const last = Math.min(items.length, Math.ceil((top + height) / rowPx) + OVERSCAN_ROWS);
  return (
    <div class="rows" ref={box}>
      <div class="rows-space" style={{ height: `${items.length * rowPx}px` }}>
        <ul aria-label={label} style={{ transform: `translateY(${first * rowPx}px)` }} onKeyDown={press}>
          {items.slice(first, last).map((item, index) =>
            row(item, {
              tabIndex: first + index === stop ? 0 : -1,
              isSelected: first + index === chosen,
            }),
          )}
        </ul>
      </div>
    </div>
  );
}

/** The part of the list that is seen, in pixels. */
function useWindow(box: RefObject<HTMLElement | null>): { readonly top: number; readonly height: number } {
  const [seen, setSeen] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => setSeen({ top: element.scrollTop, height: element.clientHeight });
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return seen;
}

/** Keeps the visible rows in place when rows are added above them. */
function useStill<Item>(box: RefObject<HTMLElement | null>, { items, keyOf }: ListProps<Item>, rowPx: number): void {
  const before = useRef(items);
  useLayoutEffect(() => {
    const element = box.current;
    const index = Math.floor((element?.scrollTop ?? 0) / rowPx);
    const seen = before.current[index];
    before.current = items;
    if (element === null || index === 0 || seen === undefined) return;
    const key = keyOf(seen);
    const now = items.findIndex((item) => keyOf(item) === key);
    if (now > index) element.scrollTop += (now - index) * rowPx;
  }, [box, items, rowPx]);
}

/** Scrolls to a row that is out of sight: until it is in the middle, or no farther than it must. */
function reveal(element: HTMLElement | null, place: number, rowPx: number, isCentred = false): void {
  if (element === null || place < 0) return;
  const [highest, lowest] = [place * rowPx, (place + 1) * rowPx - element.clientHeight];
  const nearest = Math.min(highest, Math.max(lowest, element.scrollTop));
  if (nearest !== element.scrollTop) element.scrollTop = isCentred ? (highest + lowest) / 2 : nearest;
}

/** `j` opens the next row, `k` the one before. */
function useLetters(goBy: (by: 1 | -1) => void, isWanted: boolean): void {
  // A key may come before the effects of the last drawing have run.
  const latest = useRef(goBy);
  latest.current = goBy;
  useLayoutEffect(() => {
    if (!isWanted) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event) || (event.key !== 'j' && event.key !== 'k')) return;
      event.preventDefault();
      latest.current(event.key === 'j' ? 1 : -1);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isWanted]);
}
