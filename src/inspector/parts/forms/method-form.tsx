import { useState } from 'preact/hooks';
import { call, curlOf, readFile } from '../../wire/api.js';
import { Curl } from '../actions/curl.js';
import { useAction, useReading } from '../hooks.js';
import { type Api, apiOf, at, kindOf, type Members, put, type Schema } from './schema.js';
import { type Choices, FormManner, MembersFields, SchemaField } from './schema-field.js';

interface Body {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

interface ControlDocument {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody?: Body } }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly requestBodies: Readonly<Record<string, Body>>;
  };
}

/** The control plane as the sandbox describes it. */
interface Control extends Api {
  /** The arguments of a method. */
  argumentsOf(method: string): readonly Schema[];
  /** The number of arguments that cannot be left out. */
  neededOf(method: string): number;
}

async function readControl(name: string): Promise<Control> {
  const { paths, components } = await readFile<ControlDocument>(name);
  const bodyOf = (method: string): Schema => {
    const body = paths[`/${method}`]?.post?.requestBody;
    const found = body?.$ref === undefined ? body : components.requestBodies[body.$ref.replace(/.*\//, '')];
    return found?.content?.['application/json'].schema ?? {};
  };
  return {
    ...apiOf(components.schemas),
    argumentsOf: (method) => bodyOf(method).prefixItems ?? [],
    neededOf: (method) => bodyOf(method).minItems ?? 0,
  };
}

/** What a form leaves out, and what it offers, for the values that it has. */
interface Fit {
  /** Paths of fields: `options.match`. */
  readonly hidden?: readonly string[];
  readonly choices?: Readonly<Record<string, Choices>>;
}

/** Values by their paths: the name of an argument, then that of a member. */
export type Values = Readonly<Record<string, unknown>>;

interface MethodFormProps {
  /** Text of its button. */
  readonly label: string;
  /** A method of the control plane, for example `faults/add`. */
  readonly method: string;
  /** Values that are sent without a field. */
  readonly given?: Values;
  /** Values of a new form. */
  readonly begin?: Values;
  /** The only arguments and members that have a field, by their paths. */
  readonly only?: readonly string[];
  fit?(values: Members): Fit;
  readonly onDone?: (answer: unknown) => void;
}

const filled = (values: Values): Members =>
  Object.entries(values).reduce<Members>((all, [path, value]) => put(all, path, value), {});

/** A form of a method, made from the description that the control plane gives of it. */
export function MethodForm(props: MethodFormProps) {
  const { data: control, problem } = useReading('control.openapi.json', readControl);
  if (control === undefined) return <p class="empty">{problem ?? 'Reading …'}</p>;
  return <Form control={control} {...props} />;
}

function Form({ control, label, method, given = {}, begin = {}, only, fit, onDone }: FormProps) {
  const [values, setValues] = useState(() => filled({ ...begin, ...given }));
  const { said, run } = useAction();
  const all = control.argumentsOf(method);
  const args = argumentsIn(control, method, values);
  const { hidden = [], choices } = fit?.(values) ?? {};
  const notShown = [...hidden, ...Object.keys(given), ...(only === undefined ? [] : unnamed(control, all, only))];
  const manner = { api: control, hidden: notShown, ...(choices && { choices }) };
  const submit = (event: Event): void => {
    event.preventDefault();
    run(() => call(method, ...args).then((answer) => onDone?.(answer)), 'done');
  };
  return (
    <form class="method-form" onSubmit={submit}>
      <FormManner.Provider value={manner}>
        <div class="fields">
          {all.map((one, index) => {
            const schema = control.resolved(one);
            const path = one.title ?? '';
            if (notShown.includes(path)) return null;
            const field = {
              ...{ path, schema, value: values[path] },
              onValue: (value: unknown) => setValues((before) => ({ ...before, [path]: value })),
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
  readonly control: Control;
}

/** The arguments in their order. What is not needed and empty at the end is left out. */
function argumentsIn(control: Control, method: string, values: Members): unknown[] {
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

/** The paths of the arguments and members that are not among those of a list. */
function unnamed(control: Control, all: readonly Schema[], only: readonly string[]): string[] {
  return all.flatMap((schema) => {
    const { title = '' } = schema;
    const members = Object.keys(control.resolved(schema).properties ?? {}).map((name) => `${title}.${name}`);
    const others = members.filter((path) => !only.includes(path));
    return only.includes(title) ? [] : others.length === members.length ? [title] : others;
  });
}

/** Returns the text at a path of a form's values. */
export const textAt = (values: Members, path: string): string => String(at(values, path) ?? '');

/** A form that is folded until the reader wants it. */
export interface FormSpec extends MethodFormProps {
  readonly hint?: string;
}

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
  const { hint, ...form } = spec;
  return (
    <details class="form" onToggle={() => setOpen(true)}>
      <summary>{spec.label} …</summary>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {wasOpen && <MethodForm {...form} {...(onDone && { onDone })} />}
    </details>
  );
}
