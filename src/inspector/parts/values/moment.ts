/** Completes `2026-02-01` and `2026-02-01 10:00` to a moment in UTC as the sandbox reads it. */
export function completeMoment(text: string): string {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d\d:\d\d)?$/i.exec(text) ?? [];
  if (day === undefined) return text;
  return `${day}T${time.length === 5 ? `${time}:00` : time}${/^(z|utc)$/i.test(zone) ? 'Z' : zone}`;
}
