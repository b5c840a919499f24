import { useState } from 'preact/hooks';
import { Copy } from './copy.js';

/** A secret that is shown when the reader asks for it. */
export function Masked({ label, secret }: { readonly label: string; readonly secret: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <span class="masked">
      <code>{isShown ? secret : '••••••••'}</code>
      <button
        type="button"
        class="quiet"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${label}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'hide' : 'show'}
      </button>
      <Copy label="copy" of={label} text={secret} />
    </span>
  );
}
