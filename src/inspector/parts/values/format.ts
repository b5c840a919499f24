/** Writes the time of day to the millisecond, in UTC as the API does. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

export function momentOf(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Writes a duration: `2 h 5 min`, `350 ms`. */
export function spanOf(ms: number): string {
  if (Math.abs(ms) < 1_000) return `${Math.round(ms)} ms`;
  let rest = Math.abs(ms);
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`);
    rest -= count * size;
  }
  return `${ms < 0 ? '−' : ''}${parts.join(' ')}`;
}

/** Writes the first letter large. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
