import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../parts/hooks.js';
import { call } from '../wire/api.js';

/** The second click must come within this time. */
const ASKING_MS = 5_000;

interface ResetProps {
  readonly onDone: () => void;
}

/** Puts the sandbox back to its beginning, after a second click. */
export function Reset({ onDone }: ResetProps) {
  const { said, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!isAsking) return undefined;
    const timer = setTimeout(() => setAsking(false), ASKING_MS);
    return () => clearTimeout(timer);
  }, [isAsking]);
  const click = (): void => {
    setAsking(!isAsking);
    if (isAsking) run(() => call('reset').then(onDone), 'The sandbox was reset.');
  };
  return (
    <span class="action">
      <button type="button" class={isAsking ? 'danger' : undefined} onClick={click} onBlur={() => setAsking(false)}>
        {isAsking ? 'Really reset?' : 'Reset'}
      </button>
      <span role="status">{isAsking ? 'This deletes all data and the timeline, and puts the clock back.' : said}</span>
    </span>
  );
}
