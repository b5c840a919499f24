import { timeOf } from './format.js';

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
