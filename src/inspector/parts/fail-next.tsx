import { useState } from 'preact/hooks';
import { Action } from './actions/button.js';

interface FailNextProps {
  readonly operation?: string | undefined;
  readonly path?: string | undefined;
}

/** One sentence: the next so many calls get a fault. */
export function FailNext({ operation, path }: FailNextProps) {
  const [times, setTimes] = useState(1);
  const match = operation === undefined ? { path } : { operation };
  return (
    <p class="actions">
      The next
      <input
        type="number"
        min={1}
        value={times}
        aria-label="How often"
        onInput={(event) => setTimes(Number(event.currentTarget.value))}
      />
      get 503.
      <Action label="Fail them" method="troubles/add" args={[{ match, does: 503, times }]} />
    </p>
  );
}
