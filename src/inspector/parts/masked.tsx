import { useState } from 'preact/hooks';
import { Copy } from './actions/copy.js';

interface MaskedProps {
  /** Its name, for example `the secret`. */
  readonly label: string;
  /** What is shown in its place. */
  readonly masked?: string;
  /** The secret, or what reads it once the reader asks. */
  readonly secret: string | (() => Promise<string>);
}

/** A secret that stays hidden until the reader asks for it. */
export function Masked({ label, masked = '••••••••', secret }: MaskedProps) {
  const [isShown, setShown] = useState(false);
  const [read, setRead] = useState('');
  const toggle = async (): Promise<void> => {
    if (!isShown && typeof secret !== 'string') setRead(await secret());
    setShown(!isShown);
  };
  // A new secret takes the place of the old one.
  const shown = typeof secret === 'string' ? secret : read;
  return (
    <span class="masked">
      <code>{isShown ? shown : masked}</code>
      <button type="button" class="quiet" aria-label={`${isShown ? 'Hide' : 'Show'} ${label}`} onClick={toggle}>
        {isShown ? 'hide' : 'show'}
      </button>
      <Copy label="copy" of={label} text={secret} />
    </span>
  );
}
