import { useLayoutEffect, useState } from 'preact/hooks';
import { Copy } from './copy.js';

const NAME = 'show as curl';

const listeners = new Set<() => void>();

/** True if the page shows the commands that do the same from a shell. */
function useShown(): boolean {
  const [isShown, setShown] = useState(localStorage.getItem(NAME) !== null);
  useLayoutEffect(() => {
    const look = (): void => setShown(localStorage.getItem(NAME) !== null);
    listeners.add(look);
    return () => {
      listeners.delete(look);
    };
  }, []);
  return isShown;
}

/** The switch of the whole page. It outlives a reload. */
export function CurlSwitch() {
  const change = ({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }): void => {
    if (checked) localStorage.setItem(NAME, 'true');
    else localStorage.removeItem(NAME);
    for (const listener of listeners) listener();
  };
  return (
    <label>
      <input type="checkbox" checked={useShown()} onChange={change} /> Show as curl
    </label>
  );
}

interface CurlProps {
  /** The button that does the same. */
  readonly of: string;
  readonly text: () => string;
}

/** The command that does the same as a button, if the reader wants to see it. */
export function Curl({ of, text }: CurlProps) {
  if (!useShown()) return null;
  return (
    <>
      <code class="curl">{text()}</code>
      <Copy label="curl" of={of} text={text} />
    </>
  );
}
