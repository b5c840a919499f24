import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface MenuProps {
  /** Its name, for those who hear the page. */
  readonly label: string;
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A button that opens a small panel below it. Escape, or a click beside it, closes it. */
export function Menu({ label, title, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return undefined;
    const click = ({ target }: MouseEvent): void => {
      if (!(target instanceof Node && element.contains(target))) element.open = false;
    };
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !element.open) return;
      element.open = false;
      element.querySelector('summary')?.focus();
      event.stopPropagation();
    };
    addEventListener('click', click);
    element.addEventListener('keydown', press);
    return () => {
      removeEventListener('click', click);
      element.removeEventListener('keydown', press);
    };
  }, []);
  return (
    <details class="menu" name="menu" ref={menu}>
      <summary title={label}>{title}</summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}
