import { call, curlOf, removalCurlOf, remove } from '../../wire/api.js';
import { useAction } from '../hooks.js';
import { asked } from './ask.js';
import { Curl } from './curl.js';
import { undoable } from './notice.js';

interface ButtonProps {
  /** Text of the button, for example `Expire`. */
  readonly label: string;
  /** Object of the action, for screen readers: `Stop trouble_1`. */
  readonly of?: string | undefined;
  /**
   * `main`: the first thing to do in its part of the page. `danger`: it destroys. `quiet`: for few.
   */
  readonly kind?: 'main' | 'danger' | 'quiet' | undefined;
  /** Message after success. Default: `done`. */
  readonly done?: string | undefined;
  readonly disabled?: boolean | undefined;
  run(): Promise<unknown>;
  /** The command that does the same from a shell. Undefined: no single one does. */
  curl?: (() => string) | undefined;
  /**
   * What will happen, in a sentence that the reader must agree to first; undefined if that is not
   * needed.
   */
  ask?: (() => string | undefined | Promise<string | undefined>) | undefined;
  /** What has happened, in a sentence beside *Undo*: a snapshot is taken first. */
  readonly undo?: string | undefined;
}

/** A button that says how its call ended, and shows the same call as a curl command. */
export function Button({ label, of, kind, done = 'done', disabled, run, curl, ask, undo }: ButtonProps) {
  const action = useAction();
  const name = of === undefined ? label : `${label} ${of}`;
  const act = async (): Promise<unknown> => {
    const question = await ask?.();
    if (question !== undefined && !(await asked(question, label))) return '';
    if (undo === undefined) await run();
    else await undoable(undo, run);
    return undo === undefined ? done : '';
  };
  return (
    <span class="action">
      <button type="button" class={kind} aria-label={name} disabled={disabled} onClick={() => action.run(act)}>
        {label}
      </button>
      {curl !== undefined && <Curl of={name} text={curl} />}
      <span role="status">{action.said}</span>
    </span>
  );
}

interface ActionProps extends Pick<ButtonProps, 'label' | 'of' | 'kind' | 'done' | 'disabled' | 'ask' | 'undo'> {
  /** A method of the control plane, for example `quotes/expire`. */
  readonly method: string;
  readonly args?: readonly unknown[];
  readonly onDone?: ((answer: unknown) => void) | undefined;
}

/** A button that calls a method of the control plane. */
export function Action({ method, args = [], onDone, ...button }: ActionProps) {
  return <Button {...button} run={() => call(method, ...args).then(onDone)} curl={() => curlOf(method, ...args)} />;
}

interface RemovalProps extends Pick<ButtonProps, 'label' | 'of' | 'kind' | 'ask' | 'undo'> {
  /** For example `faults`. */
  readonly collection: string;
  readonly id: string;
  readonly onDone?: () => void;
}

/** A button that removes a member of a collection. */
export function Removal({ collection, id, onDone, ...button }: RemovalProps) {
  return (
    <Button
      {...button}
      done="removed"
      run={() => remove(collection, id).then(onDone)}
      curl={() => removalCurlOf(collection, id)}
    />
  );
}
