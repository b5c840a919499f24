import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTyping } from '../keyboard.js';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  onText(text: string): void;
  onEnter?(): void;
}

/** The search of a view: the key `/` leads to it. */
export function SearchField({ label, placeholder, value, onText, onEnter }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event)) return;
      input.current?.focus();
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <input
      ref={input}
      type="search"
      placeholder={`${placeholder}  ( / )`}
      aria-label={label}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter?.();
      }}
    />
  );
}
