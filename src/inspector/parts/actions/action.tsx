import { call, curlOf, removalCurlOf, remove } from '../../wire/api.js';
import { useAction } from '../hooks.js';
import { Curl } from './curl.js';

interface ActionProps {
  /** Text of the button, for example `expire`. */
  readonly label: string;
  /** A method of the control plane, for example `quotes/expire`. */
  readonly method: string;
  readonly args?: readonly unknown[];
  /** Message of the page when it has worked. */
  readonly done?: string;
  readonly onDone?: (answer: unknown) => void;
  readonly disabled?: boolean;
}

/**
 * A button that calls a method of the control plane, says how it ended, and offers the same as a
 * curl line.
 */
export function Action({ label, method, args = [], done = 'done', onDone, disabled }: ActionProps) {
  const { said, run } = useAction();
  return (
    <span class="action">
      <button
        type="button"
        disabled={disabled}
        onClick={() => run(() => call(method, ...args).then((answer) => onDone?.(answer)), done)}
      >
        {label}
      </button>
      <Curl of={label} text={() => curlOf(method, ...args)} />
      <span role="status">{said}</span>
    </span>
  );
}

interface RemovalProps {
  readonly label: string;
  /** For example `faults`. */
  readonly collection: string;
  readonly id: string;
  readonly onDone?: () => void;
}

/** A button that removes a member of a collection. */
export function Removal({ label, collection, id, onDone }: RemovalProps) {
  const { said, run } = useAction();
  return (
    <span class="action">
      <button type="button" onClick={() => run(() => remove(collection, id).then(() => onDone?.()), 'removed')}>
        {label}
      </button>
      <Curl of={label} text={() => removalCurlOf(collection, id)} />
      <span role="status">{said}</span>
    </span>
  );
}
