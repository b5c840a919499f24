/** Writes a table of Markdown. `|` in a cell would end it. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
