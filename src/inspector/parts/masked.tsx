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
  const [shown, setShown] = useState<string>();
  const isShown = shown !== undefined;
  const toggle = async (): Promise<void> => {
    if (isShown) setShown(undefined);
    else setShown(typeof secret === 'string' ? secret : await secret());
  };
  return (
    <span class="masked">
      <code>{shown ?? masked}</code>
      <button type="button" class="quiet" aria-label={`${isShown ? 'Hide' : 'Show'} ${label}`} onClick={toggle}>
        {isShown ? 'hide' : 'show'}
      </button>
      <Copy label="copy" of={label} text={secret} />
    </span>
  );
}
