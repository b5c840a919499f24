import { useState } from 'preact/hooks';

interface CopyProps {
  /** What the button says, for example `curl`. */
  readonly label: string;
  /** What it is copied of, for those who hear the page: `Copy curl of expire`. */
  readonly of?: string;
  readonly text: string | (() => string | Promise<string>);
}

/** Copies a text, and says so. */
export function Copy({ label, of, text }: CopyProps) {
  const [said, setSaid] = useState(label);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setSaid('copied');
    } catch {
      // Without a secure address the browser has no clipboard.
      setSaid('not allowed here');
    }
    setTimeout(() => setSaid(label), 1_500);
  };
  return (
    <button
      type="button"
      class="quiet"
      onClick={copy}
      aria-label={of === undefined ? `Copy ${label}` : `Copy ${label} of ${of}`}
    >
      {said}
    </button>
  );
}
