import { useId, useState } from 'preact/hooks';
import { Coded } from '../values/words.js';
import { problemIn } from './fields-or-json.js';
import { IdList } from './ids.js';
import type { Row } from './rows.js';
import { hintOf, isDecimal, type Path } from './schema.js';
import { Select } from './select.js';

interface FieldsProps {
  readonly rows: readonly Row[];
  /** Puts a value at a path; undefined leaves it out. */
  put(path: Path, value: unknown): void;
}

/** The rows of a form. */
export function Fields({ rows, put }: FieldsProps) {
  return (
    <>
      {rows.map((row) => {
        const Part = row.kind === 'group' ? Group : row.kind === 'boxes' ? Boxes : Line;
        return <Part key={`${row.path.join('.')} ${row.kind}`} row={row} put={put} />;
      })}
    </>
  );
}

interface RowProps extends Pick<FieldsProps, 'put'> {
  readonly row: Row;
}

/** The parts of a value in a frame. What is optional is folded, unless the form begins with it. */
function Group({ row, put }: RowProps) {
  const [isFolded] = useState(!row.isRequired && row.value === undefined);
  const [Part, Title] = isFolded ? (['details', 'summary'] as const) : (['fieldset', 'legend'] as const);
  return (
    <Part class="group">
      <Title>{row.label}</Title>
      <Hint text={hintOf(row.schema)} />
      <Fields rows={row.rows} put={put} />
    </Part>
  );
}

/** Several of the known values. */
function Boxes({ row: { path, label, schema, value, choices }, put }: RowProps) {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const set = (next: readonly unknown[]): void => put(path, next.length === 0 ? undefined : next);
  return (
    <fieldset class="field">
      <legend class="field-name">{label}</legend>
      <div class="boxes">
        {choices.map(([one, text]) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={({ currentTarget: { checked } }) =>
                set(checked ? [...chosen, one] : chosen.filter((other) => other !== one))
              }
            />{' '}
            {text}
          </label>
        ))}
      </div>
      <Hint text={hintOf(schema)} />
    </fieldset>
  );
}

/** A value in one row: its name, what it is written in, and the hint. */
function Line({ row, put }: RowProps) {
  const id = useId();
  const hint = row.kind === 'which' ? '' : hintOf(row.schema);
  return (
    <div class="field">
      <label class="field-name" for={id}>
        {row.label}
      </label>
      <Control row={row} put={put} names={{ id, 'aria-describedby': hint === '' ? undefined : `${id}-hint` }} />
      <Hint text={hint} id={`${id}-hint`} />
    </div>
  );
}

interface ControlProps extends RowProps {
  /** Attributes of the control. */
  readonly names: { readonly id: string; readonly 'aria-describedby': string | undefined };
}

function Control({ row, put, names }: ControlProps) {
  const { kind, path, label, value, isRequired, choices, text, read } = row;
  const set = (next: string): void => put(path, read(next));
  switch (kind) {
    case 'add':
      return (
        <button {...names} type="button" aria-label={`Add ${label}`} onClick={() => set('')}>
          Add
        </button>
      );
    case 'flag':
      return (
        <input
          {...names}
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget: { checked } }) => put(path, checked || (isRequired ? false : undefined))}
        />
      );
    case 'which':
      return <Select names={names} value={text} of={choices} onChange={set} />;
    case 'choice':
      return <Select names={{ ...names, required: isRequired }} all="–" value={text} of={choices} onChange={set} />;
    default:
      return <TextInput row={row} put={put} names={names} />;
  }
}

/** One line with suggestions, or several lines. */
function TextInput({ row: { kind, path, schema, value, isRequired, choices, text, read }, put, names }: ControlProps) {
  // The text as typed: `12.` is not a number yet.
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const attributes = {
    ...names,
    required: isRequired,
    value: JSON.stringify(read(typed)) === JSON.stringify(value) ? typed : text,
    spellcheck: false,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped(currentTarget.value);
      put(path, read(currentTarget.value));
    },
  };
  if (kind === 'lines' || kind === 'json') {
    const problem = kind === 'json' && attributes.value !== '' ? problemIn(attributes.value) : '';
    return <textarea {...attributes} ref={(area) => area?.setCustomValidity(problem)} rows={6} />;
  }
  const kinds = schema['x-operation'] === true ? ['operations'] : [schema['x-id-of'] ?? []].flat();
  return (
    <>
      <input
        {...attributes}
        {...(kind === 'number' && { type: 'number', step: 'any', min: schema.minimum, max: schema.maximum })}
        inputMode={isDecimal(schema) ? 'decimal' : undefined}
        list={kinds.length + choices.length > 0 ? `${names.id}-known` : undefined}
        onFocus={() => setOpen(true)}
        autocomplete="off"
      />
      {isOpen && <IdList id={`${names.id}-known`} kinds={kinds} known={choices} />}
    </>
  );
}

/** A longer description is folded. */
const LONG_CHARACTERS = 90;

/** A description. A long one begins with its first sentence. */
export function Hint({ text, id }: { readonly text: string; readonly id?: string | undefined }) {
  const [isWhole, setWhole] = useState(false);
  const [first = ''] = text.length > LONG_CHARACTERS ? text.split(/(?<=\.)\s+(?=[A-Z`-])/) : [text];
  if (first === '') return null;
  return (
    <div class="hint">
      <span id={id}>
        <Coded text={isWhole ? text : first} />
      </span>
      {first.length < text.length && (
        <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'less' : 'more'}
        </button>
      )}
    </div>
  );
}
