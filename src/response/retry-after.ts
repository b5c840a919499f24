/** `Retry-After` in milliseconds from `now`: delta-seconds or an HTTP date (RFC 9110 §10.2.3); undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Every form of an HTTP date begins with a day's name; Date.parse alone would also take "1.5" or "2026".
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // asctime, the one form that does not name its zone, is in UTC as well.
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
