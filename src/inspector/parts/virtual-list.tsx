// Old names, until every view uses the new ones.
import type { ComponentChildren } from 'preact';
import { List } from './list.js';

interface Props<Item> {
  readonly items: readonly Item[];
  readonly rowHeight: number;
  readonly label: string;
  readonly selected: number | undefined;
  row(item: Item, index: number): ComponentChildren;
}

export const VirtualList = <Item,>({ items, rowHeight, label, row }: Props<Item>) => (
  <List
    items={items}
    rowPx={rowHeight}
    label={label}
    keyOf={(item) => items.indexOf(item)}
    row={(item) => row(item, items.indexOf(item))}
  />
);
