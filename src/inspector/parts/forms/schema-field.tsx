import { createContext } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import { Coded } from '../values/coded.js';
import { pretty } from '../values/format.js';
import { IdList } from './ids.js';
import {
  type Api,
  type Choices,
  choicesOf,
  hintOf,
  isDecimal,
  isMembers,
  kindOf,
  type Members,
  movedTo,
  problemOf,
  type Schema,
  suggestionsOf,
  textOf,
  typeOf,
  valueIn,
  variantIn,
  variantsOf,
  withoutMeanings,
  withoutNull,
} from './schema.js';

/** Settings of all fields of a form. */
interface Manner {
  readonly api: Api;
  /** True for the service: labels are the names of members, and wrong values are sent as well. */
  readonly isOfService?: boolean;
  /** Paths of hidden fields: `options.match.key`. */
  readonly hidden?: readonly string[];
  /** Choices of fields by path, beside the values that the document suggests. */
  readonly choices?: Readonly<Record<string, Choices>>;
}

export const FormManner = createContext<Manner>({ api: { resolved: (schema) => schema } });

interface SchemaFieldProps {
  /** Path of the value in the form. */
  readonly path: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Undefined: it is left out. */
  readonly value: unknown;
  onValue(value: unknown): void;
  /** Label. Default: the last part of the path. */
  readonly name?: string;
  /** True if the browser refuses to send the form while the field is empty. */
  readonly isNeeded?: boolean;
}

/** The fields of a value, at any depth. */
export function SchemaField(props: SchemaFieldProps) {
  const { api, isOfService } = useContext(FormManner);
  const { schema, none } = withoutNull(api, props.schema);
  const { path, value, onValue, isRequired } = props;
  // A part that the form begins with is open.
  const [isFolded] = useState(isOfService !== true && !isRequired && value === undefined);
  const inner = { ...props, schema };
  if (none !== undefined) return <NullableField {...inner} none={none} />;
  switch (kindOf(api, schema)) {
    case 'variants':
    case 'object':
      return (
        <Frame {...inner} isFolded={isFolded}>
          <MembersFields path={path} schema={schema} value={value} onValue={onValue} isRequired={isRequired} />
        </Frame>
      );
    case 'list':
      return <ListField {...inner} />;
    default:
      return <PlainField {...inner} />;
  }
}

/** Labels of members whose names say little. */
const LABELS: Readonly<Record<string, string>> = {
  ms: 'Time',
  overrides: 'Payload',
  real: 'Time of arrival',
  usd: 'US dollars',
};

/** The last part of a path: the name of the member. */
const nameIn = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Members whose text may have several lines. */
const OF_LINES: ReadonlySet<string> = new Set(['body', 'signature']);

/** `retryAfterSeconds` is `Retry after`. */
function labelOf(name: string): string {
  if (Object.hasOwn(LABELS, name)) return LABELS[name] ?? '';
  const words = name.replace(/(Ms|Seconds)$/, '').replace(/([a-z])([A-Z])/g, '$1 $2');
  const text = words.replace(/[._]/g, ' ').toLowerCase();
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\b(api|url|id)\b/gi, (word) => word.toUpperCase());
}

/** The label of a field: its name, with the unit or with `required` and `optional`. */
function Label({ path, name = nameIn(path), schema, isRequired }: SchemaFieldProps) {
  const { isOfService } = useContext(FormManner);
  const unit = schema['x-unit'];
  if (isOfService === true)
    return (
      <>
        {name} <span class="mark">{isRequired ? 'required' : 'optional'}</span>
      </>
    );
  return (
    <>
      {labelOf(name)}
      {unit !== undefined && ` (${unit})`}
    </>
  );
}

interface FrameProps extends SchemaFieldProps {
  readonly children: preact.ComponentChildren;
  /** True: the reader opens it. */
  readonly isFolded?: boolean;
}

function Frame({ children, isFolded = false, ...props }: FrameProps) {
  const { isOfService } = useContext(FormManner);
  const hint = isOfService === true ? hintOf(props.schema) : (props.schema.description ?? '');
  const [Part, Title] = isFolded ? (['details', 'summary'] as const) : (['fieldset', 'legend'] as const);
  return (
    <Part class="members">
      <Title>
        <Label {...props} />
      </Title>
      {hint !== '' && (
        <p class="hint">
          <Hint text={hint} />
        </p>
      )}
      {children}
    </Part>
  );
}

/** A longer description is cut after its first sentence. */
const LONG_CHARACTERS = 90;

/** A description. Of a long one the first sentence, and the rest after a click. */
function Hint({ text, id }: { readonly text: string; readonly id?: string }) {
  const [isWhole, setWhole] = useState(false);
  const [first = text] = text.length > LONG_CHARACTERS ? text.split(/(?<=\.) (?=[A-Z`])/) : [];
  const isCut = first.length < text.length;
  return (
    <>
      <span id={id}>
        <Coded text={isWhole ? text : first} />
      </span>
      {isCut && (
        <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'less' : 'more'}
        </button>
      )}
    </>
  );
}

/** A value, or `null` with its meaning, for example all scopes. */
function NullableField({ none, ...props }: SchemaFieldProps & { readonly none: string }) {
  const { value, onValue } = props;
  const [isGiven, setGiven] = useState(value !== null && value !== undefined);
  const choose = (given: boolean): void => {
    setGiven(given);
    onValue(given ? undefined : null);
  };
  return (
    <div class="field">
      <label class="field-name">
        <Label {...props} />{' '}
        <select
          value={isGiven ? 'given' : 'none'}
          onChange={({ currentTarget }) => choose(currentTarget.value === 'given')}
        >
          <option value="none">{none}</option>
          <option value="given">these</option>
        </select>
      </label>
      {isGiven && <SchemaField {...props} schema={nonNull(props.schema)} />}
    </div>
  );
}

/** Removes `null` from the types of a schema. */
function nonNull(schema: Schema): Schema {
  const { type } = schema;
  return Array.isArray(type) ? { ...schema, type: type.filter((one) => one !== 'null') } : schema;
}

type MembersProps = Pick<SchemaFieldProps, 'path' | 'schema' | 'value' | 'onValue'> & {
  /** False: the object may be left out as a whole. */
  readonly isRequired?: boolean;
};

/** The members of an object, without a frame. An empty optional object is left out. */
export function MembersFields({ path, schema, value, onValue, isRequired = true }: MembersProps) {
  const { api, isOfService, hidden = [] } = useContext(FormManner);
  const variants = variantsOf(api, schema);
  const variant = variantIn(variants, value);
  const { properties = {}, required = [] } = variant?.schema ?? schema;
  const members: Members = isMembers(value) ? value : {};
  const set = (name: string, inner: unknown): void => {
    const { [name]: _, ...others } = members;
    const next = inner === undefined ? others : { ...members, [name]: inner };
    onValue(Object.keys(next).length === 0 ? undefined : next);
  };
  const names = Object.keys(properties)
    .filter((name) => !hidden.includes(`${path}.${name}`))
    .sort((a, b) => Number(required.includes(b)) - Number(required.includes(a)));
  return (
    <div class="fields">
      {variants.length > 1 && (
        <label class="field">
          <span class="field-name">which one</span>
          <select
            value={variant?.label}
            onChange={({ currentTarget }) => {
              const next = variants.find(({ label }) => label === currentTarget.value);
              if (next !== undefined) onValue(movedTo(api, value, variant, next));
            }}
          >
            {variants.map(({ label }) => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </label>
      )}
      {names.map((name) => (
        <SchemaField
          key={name}
          path={`${path}.${name}`}
          name={name}
          schema={properties[name] ?? {}}
          isRequired={required.includes(name)}
          isNeeded={isOfService !== true && required.includes(name) && (isRequired || value !== undefined)}
          value={members[name]}
          onValue={(inner) => set(name, inner)}
        />
      ))}
    </div>
  );
}

/** A list: checkboxes if the values are known, else one field for each item. */
function ListField(props: SchemaFieldProps) {
  const { api, isOfService, choices = {} } = useContext(FormManner);
  const { path, schema, value, onValue, name = nameIn(path) } = props;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const item = api.resolved(schema.items ?? {});
  const known = choices[path] ?? item.enum?.map((one) => [one, one] as const);
  const set = (next: readonly unknown[]): void => onValue(next.length === 0 ? undefined : next);
  return (
    <Frame {...props}>
      {known === undefined ? (
        <div class="fields">
          {items.map((one, index) => (
            <div class="item" key={index}>
              <SchemaField
                path={`${path}.${index}`}
                name={`${name} ${index + 1}`}
                schema={item}
                isRequired={true}
                value={one}
                onValue={(next) => set(items.with(index, next ?? ''))}
              />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${name} ${index + 1}`}
                onClick={() => set(items.toSpliced(index, 1))}
              >
                remove
              </button>
            </div>
          ))}
          <button type="button" onClick={() => set([...items, kindOf(api, item) === 'object' ? {} : ''])}>
            add {isOfService === true ? name : labelOf(name).toLowerCase()}
          </button>
        </div>
      ) : (
        <div class="boxes">
          {known.map(([one, text]) => (
            <label key={one}>
              <input
                type="checkbox"
                checked={items.includes(one)}
                onChange={({ currentTarget: { checked } }) =>
                  set(checked ? [...items, one] : items.filter((other) => other !== one))
                }
              />{' '}
              {text}
            </label>
          ))}
        </div>
      )}
    </Frame>
  );
}

/** One input. */
function PlainField(props: SchemaFieldProps) {
  const { api, isOfService, choices: given = {} } = useContext(FormManner);
  const { path, schema, isRequired, value, onValue, isNeeded = isOfService !== true && isRequired } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  // The text as typed: `12.` is not a number yet.
  const [typed, setTyped] = useState<string>();
  const kind = kindOf(api, schema);
  const isTyped = typed !== undefined && textOf(valueIn(api, schema, typed)) === textOf(value);
  const text = isTyped ? typed : kind === 'json' ? pretty(textOf(value)) : textOf(value);
  const suggestions = suggestionsOf(api, schema);
  const own = kind === 'flag' || schema.enum ? choicesOf({ enum: ['true', 'false'], ...schema }) : undefined;
  const choices = given[path] === undefined ? own : [...given[path], ...suggestions];
  // The control plane's descriptions have their limits in them.
  const hint = isOfService === true ? hintOf(schema) : withoutMeanings(schema.description);
  const kinds = [schema['x-operation'] === true ? 'operations' : (schema['x-id-of'] ?? [])].flat();
  const names = { id, required: isNeeded, 'aria-describedby': hint === '' ? undefined : `${id}-hint` };
  const isUnknown = choices !== undefined && text !== '' && !choices.some(([one]) => one === text);
  const put = ({ currentTarget }: { currentTarget: { value: string } }): void => {
    setTyped(currentTarget.value);
    onValue(valueIn(api, schema, currentTarget.value));
  };
  const problem = isOfService === true ? '' : problemOf(api, schema, value);
  const isLong = kind === 'json' || OF_LINES.has(nameIn(path));
  const isText = isLong && choices === undefined && isOfService !== true;
  const hasList = kinds.length > 0 || suggestions.length > 0;
  return (
    <div class={isText ? 'field is-wide' : 'field'}>
      <label class="field-name" for={id}>
        <Label {...props} />
      </label>
      {isText ? (
        <textarea
          {...names}
          ref={(input) => input?.setCustomValidity(problem)}
          value={text}
          onInput={put}
          rows={6}
          spellcheck={false}
        />
      ) : choices === undefined ? (
        <input
          {...names}
          ref={(input) => input?.setCustomValidity(problem)}
          value={text}
          onInput={put}
          onFocus={() => setOpen(true)}
          list={hasList ? `${id}-known` : undefined}
          inputmode={kind === 'number' || isDecimal(schema) ? 'decimal' : undefined}
          autocomplete="off"
          spellcheck={false}
        />
      ) : (
        <select {...names} value={text} onChange={put}>
          <option value="">{isOfService === true ? '(left out)' : '–'}</option>
          {isUnknown && <option>{text}</option>}
          {choices.map(([one, meaning]) => (
            <option key={one} value={one}>
              {meaning}
            </option>
          ))}
        </select>
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-known`}>
          {suggestions.map(([one, meaning]) => (
            <option key={one} value={one} label={meaning} />
          ))}
        </datalist>
      )}
      {kinds.length > 0 && isOpen && <IdList id={`${id}-known`} kinds={kinds} />}
      {hint !== '' && (
        <span class="hint">
          <Hint text={hint} id={`${id}-hint`} />
          {kind === 'json' && typeOf(schema) === undefined && schema.anyOf === undefined ? ' Any JSON.' : ''}
        </span>
      )}
    </div>
  );
}
