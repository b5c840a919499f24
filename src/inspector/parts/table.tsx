import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: ComponentChildren;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** True: a narrow table leaves the column out. */
  readonly isMinor?: boolean;
  cell(row: Row): ComponentChildren;
}

interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Text in place of an empty table. */
  readonly empty: string;
  keyOf(row: Row): string | number;
  isMarked?(row: Row): boolean;
}

/**
 * A table that scrolls sideways by itself where the page is narrow. For some hundreds of rows; more
 * need a List.
 */
export function Table<Row>({ caption, columns, rows, empty, keyOf, isMarked }: TableProps<Row>) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <section class="table" aria-label={caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isMarked?.(row) === true ? 'marked' : undefined}>
              {columns.map((column, index) => (
                <td key={index} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const classOf = ({ isNumber = false, isMinor = false }: Pick<Column<never>, 'isNumber' | 'isMinor'>) =>
  `${isNumber ? 'number' : ''} ${isMinor ? 'minor' : ''}`.trim() || undefined;
