import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface MenuProps {
  /** Name of what it opens, for those who hear the page. */
  readonly label: string;
  /** What they hear before the text of the button. Default: the name, unless it is that text. */
  readonly before?: string | undefined;
  /** Text of the button. */
  readonly title: ComponentChildren;
  /** Class of the button. */
  readonly look?: string | undefined;
  /** What it opens; `close` closes it. */
  children(close: () => void): ComponentChildren;
}

const GAP_PX = 6;

/** A button that opens a small panel below it. Escape, or a click beside it, closes it. */
export function Menu({ label, title, before = title === label ? '' : `${label} `, look, children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen || panel.current === null) return undefined;
    // Its content may come later, and grow.
    const resized = new ResizeObserver(() => placeBelow(panel.current, button.current));
    resized.observe(panel.current);
    return () => resized.disconnect();
  }, [isOpen]);
  return (
    <>
      <button type="button" ref={button} class={look} popovertarget={id} aria-expanded={isOpen}>
        {before !== '' && <span class="hidden">{before}</span>}
        {title}
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        role="dialog"
        aria-label={label}
        class="menu"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}

/** Below the button, and within the window. */
function placeBelow(panel: HTMLElement | null, button: HTMLElement | null): void {
  if (panel === null || button === null) return;
  const { left, bottom, top } = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const y = bottom + GAP_PX + height > innerHeight ? Math.max(GAP_PX, top - GAP_PX - height) : bottom + GAP_PX;
  panel.style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - width - GAP_PX))}px`;
  panel.style.top = `${y}px`;
}
