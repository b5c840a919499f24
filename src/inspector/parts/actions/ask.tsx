import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Question {
  readonly text: string;
  /** Text of the button that agrees. */
  readonly label: string;
  answer(isAgreed: boolean): void;
}

const question = signal<Question | undefined>(undefined);

/** Asks the reader before something happens that is hard to take back. */
export const asked = (text: string, label: string): Promise<boolean> =>
  new Promise((answer) => {
    question.value = { text, label, answer };
  });

/** The question that waits for its answer, above every view. */
export function Asking() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = question.value;
  useLayoutEffect(() => {
    if (open === undefined) return;
    // A menu gives the focus back to its button, and so does the dialog later.
    document.querySelector<HTMLElement>(':popover-open')?.hidePopover();
    dialog.current?.showModal();
  }, [open]);
  const close = (): void => {
    question.value = undefined;
    open?.answer(dialog.current?.returnValue === 'yes');
    if (dialog.current !== null) dialog.current.returnValue = '';
  };
  return (
    <dialog ref={dialog} class="asking" aria-label="Are you sure?" onClose={close}>
      <p>{open?.text}</p>
      <form method="dialog" class="actions">
        <button type="submit" value="yes" class="danger">
          {open?.label}
        </button>
        <button type="submit" value="no">
          Cancel
        </button>
      </form>
    </dialog>
  );
}
