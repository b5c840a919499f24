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

/** Completes `2026-02-01` and `2026-02-01 10:00` to a moment in UTC as the sandbox reads it. */
export function completeMoment(text: string): string {
  const [, day, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d\d:\d\d)?$/i.exec(text) ?? [];
  if (day === undefined) return text;
  return `${day}T${time.length === 5 ? `${time}:00` : time}${/^(z|utc)$/i.test(zone) ? 'Z' : zone}`;
}

interface AgoProps {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The sandbox's time. Undefined: not known yet. */
  readonly now: number | undefined;
}

/** A moment relative to now. Its tooltip has the exact time. */
export function Ago({ at, now }: AgoProps) {
  const exact = momentOf(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={exact}>
      {now === undefined ? exact : at > now ? `in ${spanOf(at - now)}` : `${spanOf(now - at)} ago`}
    </time>
  );
}

/** The time of a row, whose milliseconds a narrow list leaves out. */
export function RowTime({ at }: { readonly at: number }) {
  const time = timeOf(at);
  return (
    <time>
      {time.slice(0, 8)}
      <span class="millis">{time.slice(8)}</span>
    </time>
  );
}
