import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Says why a text is not JSON, and in which line. Empty: it is JSON. */
export function problemIn(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}

interface FieldsOrJsonProps {
  /** What the value is, for example `Body`. */
  readonly label: string;
  /** Stands before the switch. */
  readonly heading: ComponentChildren;
  /** The value as JSON. */
  readonly text: string;
  /** True: a text that is not JSON can be sent as well. */
  readonly isAny?: boolean;
  onText(text: string): void;
  /** The fields of the value. */
  children(value: unknown): ComponentChildren;
}

/** A value as fields or, for who prefers it, as JSON. Fields cannot show what is not JSON. */
export function FieldsOrJson({ label, heading, text, isAny = false, onText, children }: FieldsOrJsonProps) {
  const [isJson, setJson] = useState(false);
  const problem = problemIn(text);
  const isText = isJson || problem !== '';
  const write = (next: string): void => {
    setJson(true);
    onText(next);
  };
  return (
    <>
      <div class="heading">
        {heading}
        <button
          type="button"
          class="quiet"
          aria-label={`${label} as JSON`}
          aria-pressed={isText}
          disabled={problem !== ''}
          onClick={() => setJson(!isJson)}
        >
          JSON
        </button>
      </div>
      {isText && (
        <textarea
          aria-label={`${label} in JSON`}
          ref={(area) => area?.setCustomValidity(isAny ? '' : problem)}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          rows={Math.min(24, text.split('\n').length + 1)}
          spellcheck={false}
        />
      )}
      {isText ? <p role="status">{problem}</p> : children(JSON.parse(text))}
    </>
  );
}
