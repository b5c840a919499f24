import { useId } from 'preact/hooks';
import { Mark, type SchemaFieldProps } from './field-frame.js';
import { ListField } from './list-field.js';
import {
  hintOf,
  isMembers,
  kindOf,
  type Members,
  movedTo,
  suggestionsOf,
  typeOf,
  variantIn,
  variantsOf,
} from './schemas.js';

/** A value of an API as fields to fill in, of any depth. */
export function SchemaField(props: SchemaFieldProps) {
  const { api, name, isRequired, value, onValue } = props;
  const schema = api.resolved(props.schema);
  const kind = kindOf(api, schema);
  const inner = { ...props, schema };
  switch (kind) {
    case 'variants':
    case 'object':
      return (
        <fieldset class="members">
          <legend>
            {name} <Mark isRequired={isRequired} />
          </legend>
          <p class="hint">{hintOf(schema)}</p>
          <MembersFields api={api} schema={schema} value={value} onValue={onValue} />
        </fieldset>
      );
    case 'list':
      return <ListField {...inner} field={SchemaField} />;
    default:
      return <PlainField {...inner} />;
  }
}

type MembersProps = Pick<SchemaFieldProps, 'api' | 'schema' | 'value' | 'onValue'>;

/** The members of an object, without a frame. An empty optional object is left out. */
export function MembersFields({ api, schema, value, onValue }: MembersProps) {
  const variants = variantsOf(api, schema);
  const variant = variantIn(variants, value);
  const { properties = {}, required = [] } = variant?.schema ?? schema;
  const members: Members = isMembers(value) ? value : {};
  const set = (name: string, inner: unknown): void => {
    const { [name]: _, ...others } = members;
    const next = inner === undefined ? others : { ...members, [name]: inner };
    onValue(Object.keys(next).length === 0 ? undefined : next);
  };
  const names = Object.keys(properties).sort((a, b) => Number(required.includes(b)) - Number(required.includes(a)));
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
          api={api}
          name={name}
          schema={properties[name] ?? {}}
          isRequired={required.includes(name)}
          value={members[name]}
          onValue={(inner) => set(name, inner)}
        />
      ))}
    </div>
  );
}

/** One input. */
function PlainField({ api, name, schema, isRequired, value, onValue, isNeeded }: SchemaFieldProps) {
  const id = useId();
  const kind = kindOf(api, schema);
  const hint = hintOf(schema);
  const choices = kind === 'flag' ? ['true', 'false'] : schema.enum;
  const suggestions = suggestionsOf(api, schema);
  const text = textOf(value);
  const put = ({ currentTarget }: { currentTarget: { value: string } }): void =>
    onValue(valueIn(currentTarget.value, kind));
  const isUnknown = choices !== undefined && text !== '' && !choices.includes(text);
  return (
    <div class="field">
      <label class="field-name" for={id}>
        {name} <Mark isRequired={isRequired} />
      </label>
      {choices === undefined ? (
        <input
          id={id}
          value={text}
          onInput={put}
          required={isNeeded}
          list={suggestions.length === 0 ? undefined : `${id}-known`}
          inputmode={kind === 'number' || schema.format === 'decimal' ? 'decimal' : undefined}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={hint === '' ? undefined : `${id}-hint`}
        />
      ) : (
        <select id={id} value={text} onChange={put} aria-describedby={hint === '' ? undefined : `${id}-hint`}>
          <option value="">(left out)</option>
          {isUnknown && <option>{text}</option>}
          {choices.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      {suggestions.length > 0 && (
        <datalist id={`${id}-known`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint !== '' && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
          {kind === 'json' && typeOf(schema) === undefined ? ' Any JSON.' : ''}
        </span>
      )}
    </div>
  );
}

export function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * An empty field is left out. What does not have the form is sent as text: the service says what it
 * thinks of it.
 */
export function valueIn(text: string, kind: ReturnType<typeof kindOf>): unknown {
  if (text === '') return undefined;
  if (kind === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'number') return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
  if (kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
