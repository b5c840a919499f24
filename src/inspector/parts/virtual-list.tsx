import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Number of rows drawn above and below the visible ones. */
const OVERSCAN_ROWS = 8;

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** In CSS pixels, the same for all. */
  readonly rowHeight: number;
  readonly label: string;
  readonly selected: number | undefined;
  row(item: Item, index: number): ComponentChildren;
}

/** A list of any length. Only the visible rows are elements. */
export function VirtualList<Item>({ items, rowHeight, label, selected, row }: VirtualListProps<Item>) {
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setWindow] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = () => setWindow({ top: element.scrollTop, height: element.clientHeight });
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  useStill(box, items, rowHeight);
  const chosen = selected === undefined ? undefined : items[selected];
  // Before the page is painted: later it would undo how the user has scrolled since.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || selected === undefined) return;
    const from = selected * rowHeight;
    if (from < element.scrollTop) element.scrollTop = from;
    else if (from + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = from + rowHeight - element.clientHeight;
    }
    // Not when its position changes: the user may have scrolled away from it.
  }, [chosen, rowHeight]);
  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN_ROWS);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + OVERSCAN_ROWS);
  const shown = items.slice(first, last);
  return (
    <div class="virtual" ref={box}>
      <div class="virtual-space" style={{ height: `${items.length * rowHeight}px` }}>
        <ul class="virtual-window" aria-label={label} style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {shown.map((item, index) => row(item, first + index))}
        </ul>
      </div>
    </div>
  );
}

/** Keeps the visible rows in place when rows are added above them. */
function useStill<Item>(box: RefObject<HTMLDivElement | null>, items: readonly Item[], rowHeight: number): void {
  const before = useRef(items);
  useLayoutEffect(() => {
    const element = box.current;
    const index = Math.floor((element?.scrollTop ?? 0) / rowHeight);
    const seen = before.current[index];
    before.current = items;
    if (element === null || index === 0 || seen === undefined) return;
    const now = items.indexOf(seen);
    if (now > index) element.scrollTop += (now - index) * rowHeight;
  }, [box, items, rowHeight]);
}
