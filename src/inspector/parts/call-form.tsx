import { useState } from 'preact/hooks';
import { call, curlOf } from '../wire/api.js';
import { Copy } from './copy.js';
import { Field } from './field.js';
import { useAction } from './hooks.js';

interface FormField {
  readonly name: string;
  /** Default: the name. */
  readonly label?: string;
  readonly hint?: string;
  /** What stands in it until the reader writes. */
  readonly initial?: string;
  /** The values to choose from. */
  readonly options?: readonly string[];
  /** Text of several lines. */
  readonly isLong?: boolean;
}

/** The text of each field, without blanks at its ends. */
export type FormValues = Readonly<Record<string, string>>;

/** A call of the control plane that needs input. */
export interface FormSpec {
  /** For example `Set the price`. */
  readonly title: string;
  readonly hint?: string;
  /** For example `prices/set`. */
  readonly method: string;
  readonly fields: readonly FormField[];
  /** @throws Error that says what is wrong with a value. */
  args(values: FormValues): readonly unknown[];
}

interface CallFormProps {
  readonly spec: FormSpec;
  readonly onDone?: (answer: unknown) => void;
}

/** A form that calls a method of the control plane, says how it ended, and offers the same as a curl line. */
export function CallForm({ spec, onDone }: CallFormProps) {
  const { title, hint, method, fields } = spec;
  const [written, setWritten] = useState<FormValues>({});
  const { said, run } = useAction();
  const textOf = ({ name, initial = '' }: FormField): string => written[name] ?? initial;
  const { args, problem } = attempt(() =>
    spec.args(Object.fromEntries(fields.map((one) => [one.name, textOf(one).trim()]))),
  );
  const send = (event: Event): void => {
    event.preventDefault();
    if (args !== undefined) run(() => call(method, ...args).then((answer) => onDone?.(answer)), 'done');
  };
  return (
    <form class="fields" aria-label={title} onSubmit={send}>
      {hint !== undefined && <p class="hint wide">{hint}</p>}
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label ?? field.name}
          {...(field.hint === undefined ? {} : { hint: field.hint })}
        >
          <Control
            field={field}
            value={textOf(field)}
            onWrite={(value) => setWritten((before) => ({ ...before, [field.name]: value }))}
          />
        </Field>
      ))}
      <span class="action">
        <button type="submit" disabled={args === undefined}>
          {title}
        </button>
        {args !== undefined && <Copy label="curl" of={title} text={() => curlOf(method, ...args)} />}
        <span role="status">{problem ?? said}</span>
      </span>
    </form>
  );
}

interface ControlProps {
  readonly field: FormField;
  readonly value: string;
  readonly onWrite: (value: string) => void;
}

function Control({ field: { options, isLong }, value, onWrite }: ControlProps) {
  const write = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    onWrite(currentTarget.value);
  if (isLong === true) return <textarea value={value} onInput={write} />;
  if (options === undefined) return <input value={value} onInput={write} />;
  return (
    <select value={value} onChange={write}>
      {options.map((one) => (
        <option key={one} value={one}>
          {one === '' ? '–' : one}
        </option>
      ))}
    </select>
  );
}

function attempt(run: () => readonly unknown[]): { readonly args?: readonly unknown[]; readonly problem?: string } {
  try {
    return { args: run() };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** The values that are given: an empty field is left out. */
export const given = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));

/** Reads a field that has JSON. @throws Error that names the field. */
export function jsonIn(name: string, text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}
