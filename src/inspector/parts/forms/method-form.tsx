import { useState } from 'preact/hooks';
import { call, curlOf } from '../../wire/api.js';
import { Curl } from '../actions/curl.js';
import { useAction } from '../hooks.js';
import { Coded } from '../values/words.js';
import { type ControlApi, useControlApi } from './documents.js';
import { Fields } from './fields.js';
import { FieldsOrJson, problemIn } from './fields-or-json.js';
import { type FormManner, rowsOf } from './rows.js';
import { type Members, type Path, put, type Schema } from './schema.js';

/** What depends on the present values of a form. */
interface Fit extends Pick<FormManner, 'choices'> {
  /** Paths of fields: `options.match`. */
  readonly hidden?: readonly string[];
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

const putIn = (values: Members, path: Path, value: unknown): Members => (put(values, path, value) ?? {}) as Members;

const filled = (values: Values): Members =>
  Object.entries(values).reduce<Members>((all, [path, value]) => putIn(all, path.split('.'), value), {});

/** A form of a method of the control plane, made from `control.openapi.json`. */
export function MethodForm(props: MethodFormProps) {
  const { data: control, problem } = useControlApi();
  if (control === undefined) return <p class="empty">{problem ?? 'Loading …'}</p>;
  return <Form control={control} {...props} />;
}

function Form({ control, label, method, given = {}, begin = {}, only, fit, isDescribed, ...after }: FormProps) {
  const [set, setSet] = useState(() => filled({ ...begin, ...given }));
  // The arguments as they are written in JSON.
  const [json, setJson] = useState<string>();
  const { said, run } = useAction();
  const { hidden = [], choices, begin: begun = {} } = fit?.(set) ?? {};
  // What does not fit is not sent.
  const values = hidden.reduce<Members>((all, path) => putIn(all, path.split('.'), undefined), { ...begun, ...set });
  const schema = control.argumentsOf(method);
  const args = argumentsIn(schema, values);
  const isShown = (path: string): boolean =>
    ![...hidden, ...Object.keys(given)].includes(path) &&
    (only ?? [path]).some((one) => isWithin(one, path) || isWithin(path, one));
  const rows = rowsOf({ api: control, isShown, choices }, schema, values, [], true);
  const change = (path: Path, value: unknown): void => {
    const next = putIn(set, path, value);
    const { begin: after = {} } = fit?.(next) ?? {};
    setSet(Object.fromEntries(Object.entries(next).filter(([name]) => after[name] === begun[name])));
    setJson(undefined);
  };
  const write = (text: string): void => {
    setJson(text);
    if (problemIn(text) !== '') return;
    const read = [JSON.parse(text)].flat();
    setSet(Object.fromEntries(Object.keys(schema.properties ?? {}).map((name, index) => [name, read[index]])));
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const answer = await call(method, ...args);
      after.onDone?.(answer);
      return after.done ?? 'done';
    });
  };
  return (
    <form class="derived" onSubmit={submit}>
      <FieldsOrJson
        label="Arguments"
        heading={<p class="hint">{isDescribed === true && <Coded text={control.descriptionOf(method)} />}</p>}
        text={json ?? JSON.stringify(args, null, 2)}
        onText={write}
      >
        {() => <Fields rows={rows} put={change} />}
      </FieldsOrJson>
      <div class="actions">
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

/** True if a path is another, or that of one of its members. */
const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}.`);

/** The arguments in their order, without empty optional ones at the end. */
function argumentsIn({ properties = {}, required = [] }: Schema, values: Members): unknown[] {
  const args = Object.entries(properties).map(([name, { type }]) => {
    const isLeftOut = values[name] === undefined && type === 'object' && required.includes(name);
    return isLeftOut ? {} : values[name];
  });
  while (args.length > required.length && args.at(-1) === undefined) args.pop();
  return args;
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
