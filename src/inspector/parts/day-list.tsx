import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { List, type RowState, useRowPx } from './list.js';

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** A line of the list: an item, or the heading of a day. */
type Line<Item> = { readonly day: string } | { readonly item: Item };

interface DayListProps<Item> {
  readonly items: readonly Item[];
  readonly label: string;
  keyOf(item: Item): string | number;
  /** Time by the sandbox's clock. Undefined: the item belongs to no day. */
  atOf(item: Item): number | undefined;
  /** The key of what is open. */
  readonly selected: string | number | undefined;
  row(item: Item, state: RowState): ComponentChildren;
  onStep(item: Item): void;
}

/** A list with a heading for each day. Its rows have two lines on a phone. */
export function DayList<Item>({ items, label, keyOf, atOf, selected, row, onStep }: DayListProps<Item>) {
  const lines = useMemo(() => withDays(items, atOf), [items]);
  const rowPx = useRowPx();
  return (
    <List
      items={lines}
      rowPx={rowPx}
      label={label}
      keyOf={(line) => ('day' in line ? line.day : keyOf(line.item))}
      isRow={(line) => 'item' in line}
      selected={selected}
      onStep={(line) => 'item' in line && onStep(line.item)}
      row={(line, state) =>
        'item' in line ? (
          row(line.item, state)
        ) : (
          <li key={line.day} class="day" style={{ height: `${rowPx}px` }}>
            {line.day}
          </li>
        )
      }
    />
  );
}

const DAY_MS = 86_400_000;

function withDays<Item>(items: readonly Item[], atOf: (item: Item) => number | undefined): Line<Item>[] {
  const lines: Line<Item>[] = [];
  let before: number | undefined;
  for (const item of items) {
    const at = atOf(item);
    // A name for each day, and not for each of thousands of items.
    const day = at === undefined ? before : Math.floor(at / DAY_MS);
    if (at !== undefined && day !== before) {
      lines.push({ day: `${DAY.format(at)}${before === undefined ? ', sandbox time' : ''}` });
    }
    before = day;
    lines.push({ item });
  }
  return lines;
}
