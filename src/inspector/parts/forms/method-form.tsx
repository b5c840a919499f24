import { useState } from 'preact/hooks';
import { call, curlOf } from '../../wire/api.js';
import { Curl } from '../actions/curl.js';
import { useAction } from '../hooks.js';
import { Coded } from '../values/coded.js';
import { type ControlApi, useControlApi } from './documents.js';
import { type Choices, kindOf, type Members, put, type Schema } from './schema.js';
import { FormManner, MembersFields, SchemaField } from './schema-field.js';

/** What depends on the present values of a form. */
interface Fit {
  /** Paths of fields: `options.match`. */
  readonly hidden?: readonly string[];
  readonly choices?: Readonly<Record<string, Choices>>;
  /** Initial values of arguments. An argument begins anew when its initial value changes. */
  readonly begin?: Members;
}

/** Values by path: the name of the argument, then that of a member. */
export type Values = Readonly<Record<string, unknown>>;

interface MethodFormProps {
  /** Text of its button. */
  readonly label: string;
  /** A method of the control plane, for example `troubles/add`. */
  readonly method: string;
  /** Fixed values, which have no field. */
  readonly given?: Values;
  /** Initial values. */
  readonly begin?: Values;
  /** Paths of the only arguments and members that have a field. Default: all. */
  readonly only?: readonly string[];
  fit?(values: Members): Fit;
  /** True: the form begins with the description of the method. */
  readonly isDescribed?: boolean;
  /** Message after success. Default: `done`. */
  readonly done?: string;
  readonly onDone?: (answer: unknown) => void;
}

const filled = (values: Values): Members =>
  Object.entries(values).reduce<Members>((all, [path, value]) => put(all, path, value), {});

/** A form of a method of the control plane, made from `control.openapi.json`. */
export function MethodForm(props: MethodFormProps) {
  const { data: control, problem } = useControlApi();
  if (control === undefined) return <p class="empty">{problem ?? 'Reading …'}</p>;
  return <Form control={control} {...props} />;
}

function Form({ control, label, method, given = {}, begin = {}, only, fit, isDescribed, ...after }: FormProps) {
  const [set, setSet] = useState(() => filled({ ...begin, ...given }));
  const { said, run } = useAction();
  const all = control.argumentsOf(method);
  const { hidden = [], choices, begin: begun = {} } = fit?.(set) ?? {};
  const values: Members = { ...begun, ...set };
  const args = argumentsIn(control, method, values);
  const notShown = [...hidden, ...Object.keys(given), ...(only === undefined ? [] : unnamed(control, all, only))];
  const manner = { api: control, hidden: notShown, ...(choices && { choices }) };
  const change = (path: string, value: unknown): void => {
    const next = { ...set, [path]: value };
    const { begin: after = {} } = fit?.(next) ?? {};
    setSet(Object.fromEntries(Object.entries(next).filter(([name]) => after[name] === begun[name])));
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    run(() => call(method, ...args).then((answer) => after.onDone?.(answer)), after.done ?? 'done');
  };
  return (
    <form class="method-form" onSubmit={submit}>
      {isDescribed === true && (
        <p class="hint">
          <Coded text={control.descriptionOf(method)} />
        </p>
      )}
      <FormManner.Provider value={manner}>
        <div class="fields">
          {all.map((one, index) => {
            const schema = control.resolved(one);
            const path = one.title ?? '';
            if (notShown.includes(path)) return null;
            const field = {
              path,
              schema,
              value: values[path],
              onValue: (value: unknown) => change(path, value),
            };
            if (kindOf(control, schema) === 'object') return <MembersFields key={path} {...field} />;
            return <SchemaField key={path} {...field} isRequired={index < control.neededOf(method)} />;
          })}
        </div>
      </FormManner.Provider>
      <div class="call">
        <button type="submit">{label}</button>
        <Curl of={label} text={() => curlOf(method, ...args)} />
        <span role="status">{said}</span>
      </div>
    </form>
  );
}

interface FormProps extends MethodFormProps {
  readonly control: ControlApi;
}

/** The arguments in their order, without empty optional ones at the end. */
function argumentsIn(control: ControlApi, method: string, values: Members): unknown[] {
  const needed = control.neededOf(method);
  const args = control.argumentsOf(method).map((schema, index) => {
    const value = values[schema.title ?? ''];
    if (value !== undefined || index >= needed) return value;
    const { type } = control.resolved(schema);
    return type === 'object' ? {} : type?.includes('null') === true ? null : undefined;
  });
  while (args.length > needed && args.at(-1) === undefined) args.pop();
  return args;
}

/** The paths of all arguments and members that `only` does not list. */
function unnamed(control: ControlApi, all: readonly Schema[], only: readonly string[]): string[] {
  return all.flatMap((schema) => {
    const { title = '' } = schema;
    const members = Object.keys(control.resolved(schema).properties ?? {}).map((name) => `${title}.${name}`);
    const others = members.filter((path) => !only.includes(path));
    return only.includes(title) ? [] : others.length === members.length ? [title] : others;
  });
}

/** A form in a list of forms. */
export type FormSpec = Omit<MethodFormProps, 'isDescribed' | 'onDone'>;

/** Forms that are folded at first. */
export function Forms({ specs, onDone }: { readonly specs: readonly FormSpec[]; readonly onDone?: () => void }) {
  return (
    <>
      {specs.map((spec) => (
        <Folded key={spec.label} spec={spec} onDone={onDone} />
      ))}
    </>
  );
}

function Folded({ spec, onDone }: { readonly spec: FormSpec; readonly onDone: (() => void) | undefined }) {
  const [wasOpen, setOpen] = useState(false);
  return (
    <details class="form" onToggle={() => setOpen(true)}>
      <summary>{spec.label} …</summary>
      {wasOpen && <MethodForm {...spec} isDescribed={true} {...(onDone && { onDone })} />}
    </details>
  );
}
