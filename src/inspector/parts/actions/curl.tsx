import { signal } from '@preact/signals';
import { Copy } from './copy.js';

const NAME = 'show as curl';

const isShown = signal(localStorage.getItem(NAME) !== null);

/** The switch for the whole page. It survives a reload. */
export function CurlSwitch() {
  const change = ({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }): void => {
    if (checked) localStorage.setItem(NAME, 'true');
    else localStorage.removeItem(NAME);
    isShown.value = checked;
  };
  return (
    <label>
      <input type="checkbox" checked={isShown.value} onChange={change} /> Show as curl
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
  if (!isShown.value) return null;
  return (
    <>
      <code class="curl">{text()}</code>
      <Copy label="curl" of={of} text={text} />
    </>
  );
}
