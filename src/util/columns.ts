/** The widest left column, in characters. A line break follows a wider string. */
const MAX_LEFT = 34;

/** Returns lines of two columns, indented by two spaces. */
export function inColumns(rows: readonly (readonly [left: string, right: string])[], maxLeft = MAX_LEFT): string {
  const width = Math.min(maxLeft, Math.max(0, ...rows.map(([left]) => left.length)));
  const line = ([left, right]: readonly [string, string]) =>
    `  ${left.length > width ? `${left}\n  ${' '.repeat(width)}` : left.padEnd(width)}  ${right}`.trimEnd();
  return rows.map(line).join('\n');
}
