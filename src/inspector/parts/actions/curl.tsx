import { useLayoutEffect, useState } from 'preact/hooks';
import { Copy } from './copy.js';

const NAME = 'show as curl';

const listeners = new Set<() => void>();

/** True if the page shows curl commands beside its buttons. */
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

/** The switch for the whole page. It survives a reload. */
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

/** The curl command of a button, if the user wants to see it. */
export function Curl({ of, text }: CurlProps) {
  if (!useShown()) return null;
  return (
    <>
      <code class="curl">{text()}</code>
      <Copy label="curl" of={of} text={text} />
    </>
  );
}
