import { useId, useState } from 'preact/hooks';
import { call, curlOf } from '../../wire/api.js';
import { Copy } from '../actions/copy.js';
import { useAction } from '../hooks.js';
import { type OptionField, optionsOf, type Texts } from './option-fields.js';

interface OptionsFormProps {
  /** Text of its button. */
  readonly label: string;
  /** A method of the control plane. */
  readonly method: string;
  /** The fields for what is filled in. */
  fields(texts: Texts): readonly OptionField[];
  /** The arguments of the method. Default: the options alone. */
  argsOf?(options: Record<string, unknown>): readonly unknown[];
  readonly begin?: Texts;
  readonly onDone?: (answer: unknown) => void;
  /** `true`: the JSON of the first argument stands above the curl line. */
  readonly hasJson?: boolean;
}

/** A form of a method's options, with the call that it makes, as the reader fills it in. */
export function OptionsForm({ label, method, fields, argsOf, begin = {}, onDone, hasJson }: OptionsFormProps) {
  const [texts, setTexts] = useState(begin);
  const { said, run } = useAction();
  const shown = fields(texts);
  const options = optionsOf(shown, texts);
  const args = argsOf?.(options) ?? [options];
  const groups = [...new Set(shown.map(({ group }) => group))];
  const submit = (event: Event): void => {
    event.preventDefault();
    run(() => call(method, ...args).then((answer) => onDone?.(answer)), 'done');
  };
  return (
    <form onSubmit={submit}>
      {groups.map((group) => (
        <fieldset key={group ?? ''} class="options">
          {group !== undefined && <legend>{group}</legend>}
          {shown
            .filter((field) => field.group === group)
            .map((field) => (
              <Option
                key={field.name}
                field={field}
                text={texts[field.name] ?? ''}
                onText={(text) => setTexts((before) => ({ ...before, [field.name]: text }))}
              />
            ))}
        </fieldset>
      ))}
      {hasJson === true && (
        <>
          <h3>JSON</h3>
          <pre>{JSON.stringify(args[0], null, 2)}</pre>
        </>
      )}
      <div class="call">
        <button type="submit">{label}</button>
        <code>{curlOf(method, ...args)}</code>
        <Copy label="curl" of={label} text={() => curlOf(method, ...args)} />
        <span role="status">{said}</span>
      </div>
    </form>
  );
}

interface OptionProps {
  readonly field: OptionField;
  readonly text: string;
  onText(text: string): void;
}

function Option({ field, text, onText }: OptionProps) {
  const id = useId();
  const { label, hint, suggestions } = field;
  return (
    <div class="field">
      <label class="field-name" htmlFor={id}>
        {label}
      </label>
      <Control id={id} field={field} text={text} onText={onText} />
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </div>
  );
}

function Control({ id, field, text, onText }: OptionProps & { readonly id: string }) {
  const { hint, kind, choices, suggestions } = field;
  const names = { id, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` };
  const put = (event: { currentTarget: { value: string } }): void => onText(event.currentTarget.value);
  if (kind === 'flag') {
    const tick = (event: { currentTarget: { checked: boolean } }) => onText(event.currentTarget.checked ? 'true' : '');
    return <input {...names} type="checkbox" checked={text !== ''} onChange={tick} />;
  }
  if (kind === 'json') return <textarea {...names} value={text} onInput={put} spellcheck={false} />;
  if (choices === undefined) {
    const list = suggestions === undefined ? undefined : `${id}-list`;
    return <input {...names} value={text} onInput={put} list={list} autocomplete="off" spellcheck={false} />;
  }
  return (
    <select {...names} value={text === '' ? choices[0]?.[0] : text} onChange={put}>
      {choices.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
