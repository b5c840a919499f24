const UNITS_MS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, sec: 1_000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
};

/** Returns the ms of `90 s`, `2 h 5 min` or `1h30m`; undefined for another text. */
export function readSpan(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)];
  const rest = text
    .replace(/(\d+(?:\.\d+)?)\s*[a-z]+/gi, '')
    .replace(/^\+/, '')
    .trim();
  if (parts.length === 0 || rest !== '') return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of parts) {
    const size = UNITS_MS[unit.toLowerCase()];
    if (size === undefined) return undefined;
    sum += Number(count) * size;
  }
  return Math.round(sum);
}

/** Completes `2026-02-01` and `2026-02-01 10:00` to a moment in UTC as the sandbox reads it. */
export function completeMoment(text: string): string {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d\d:\d\d)?$/i.exec(text) ?? [];
  if (day === undefined) return text;
  return `${day}T${time.length === 5 ? `${time}:00` : time}${/^(z|utc)$/i.test(zone) ? 'Z' : zone}`;
}
