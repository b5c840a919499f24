const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const PART = /(\d+(?:\.\d+)?)\s*([a-z]+)\s*/gi;

/**
 * Returns the milliseconds of a time span as people write it: `500ms`, `90 s`, `1h30m` or `2 h 5
 * min`. Undefined for any other string.
 */
export function spanMs(text: string): number | undefined {
  const parts = [...text.matchAll(PART)];
  if (parts.length === 0 || !/^\s*\+?\s*$/.test(text.replace(PART, ''))) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of parts) sum += Number(count) * (UNITS_MS[unit.toLowerCase()] ?? Number.NaN);
  return Number.isNaN(sum) ? undefined : Math.round(sum);
}
