import { call, curlOf, removalCurlOf, remove } from '../../wire/api.js';
import { useAction } from '../hooks.js';
import { Curl } from './curl.js';

interface CallButtonProps {
  /** Text of the button, for example `expire`. */
  readonly label: string;
  /** Object of the action, for screen readers: `Stop trouble_1`. */
  readonly of?: string | undefined;
  /** Message after success. */
  readonly done: string;
  readonly disabled?: boolean | undefined;
  /** True: the first thing to do in its part of the page. */
  readonly isMain?: boolean | undefined;
  run(): Promise<unknown>;
  /** The command that does the same from a shell. Undefined: no single one does. */
  curl?(): string;
}

/** A button that says how its call ended, and shows the same call as a curl command. */
export function CallButton({ label, of, done, disabled, isMain, run, curl }: CallButtonProps) {
  const action = useAction();
  const name = of === undefined ? label : `${label} ${of}`;
  return (
    <span class="action">
      <button
        type="button"
        class={isMain === true ? 'main' : undefined}
        aria-label={name}
        disabled={disabled}
        onClick={() => action.run(run, done)}
      >
        {label}
      </button>
      {curl !== undefined && <Curl of={name} text={curl} />}
      <span role="status">{action.said}</span>
    </span>
  );
}

interface ActionProps extends Pick<CallButtonProps, 'label' | 'disabled' | 'isMain'> {
  /** A method of the control plane, for example `quotes/expire`. */
  readonly method: string;
  readonly args?: readonly unknown[];
  /** Default: `done`. */
  readonly done?: string;
  readonly onDone?: (answer: unknown) => void;
}

/** A button that calls a method of the control plane. */
export function Action({ method, args = [], done = 'done', onDone, ...button }: ActionProps) {
  return (
    <CallButton
      {...button}
      done={done}
      run={() => call(method, ...args).then((answer) => onDone?.(answer))}
      curl={() => curlOf(method, ...args)}
    />
  );
}

interface RemovalProps extends Pick<CallButtonProps, 'label' | 'of'> {
  /** For example `faults`. */
  readonly collection: string;
  readonly id: string;
  readonly onDone?: () => void;
}

/** A button that removes a member of a collection. */
export function Removal({ collection, id, onDone, ...button }: RemovalProps) {
  return (
    <CallButton
      {...button}
      done="removed"
      run={() => remove(collection, id).then(onDone)}
      curl={() => removalCurlOf(collection, id)}
    />
  );
}
