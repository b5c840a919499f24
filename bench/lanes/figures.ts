import type { Load } from './load.js';

/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Of sorted values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The failed calls by kind, or 0. */
export function failed(loads: readonly Pick<Load, 'errors'>[]): string {
  const kinds = new Map<string, number>();
  for (const [name, count] of loads.flatMap(({ errors }) => Object.entries(errors))) {
    kinds.set(name, (kinds.get(name) ?? 0) + count);
  }
  return [...kinds].map(([name, count]) => `${count} ${name}`).join(', ') || '0';
}

/** Prints a Markdown table. */
export function table(rows: readonly Readonly<Record<string, string | number>>[]): void {
  const heads = Object.keys(rows[0] ?? {});
  const lines = [heads, heads.map(() => '---'), ...rows.map((row) => heads.map((head) => String(row[head] ?? '')))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines)
    console.log(`| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  console.log();
}

/** Prints whether a figure was reached; it is a ratio or a count, never a time. */
export function target(what: string, reached: boolean): void {
  console.log(`- ${reached ? 'reached' : 'NOT REACHED'}: ${what}`);
}

export const round = (value: number, digits = 0): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');
