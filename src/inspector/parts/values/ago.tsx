import { momentOf, spanOf } from './format.js';

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
