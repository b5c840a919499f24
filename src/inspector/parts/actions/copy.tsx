import { useState } from 'preact/hooks';

interface CopyProps {
  /** Text of the button, for example `curl`. */
  readonly label: string;
  /** Text of the button, if it is more than the label. */
  readonly shown?: string;
  /** Source of the copy, for screen readers: `Copy curl of expire`. */
  readonly of?: string;
  readonly text: string | (() => string | Promise<string>);
}

/** An insecure origin has no `navigator.clipboard`: there the older way copies. */
async function write(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const place = document.createElement('textarea');
  place.value = text;
  document.body.append(place);
  place.select();
  const isDone = document.execCommand('copy');
  place.remove();
  if (!isDone) throw new Error('the browser did not copy');
}

/** A button that copies a text and says so. */
export function Copy({ label, shown = label, of, text }: CopyProps) {
  const [said, setSaid] = useState(shown);
  const copy = async (): Promise<void> => {
    try {
      await write(typeof text === 'string' ? text : await text());
      setSaid('copied');
    } catch {
      setSaid('not allowed here');
    }
    setTimeout(() => setSaid(shown), 1_500);
  };
  return (
    <button
      type="button"
      class="quiet"
      onClick={copy}
      aria-label={said !== shown ? undefined : of === undefined ? `Copy ${label}` : `Copy ${label} of ${of}`}
    >
      {said}
    </button>
  );
}
