import type { OptionField, Texts } from './option-fields.js';
import { OptionsForm } from './options-form.js';

/** A call of the control plane that needs input. */
export interface FormSpec {
  /** For example `Set the price`. */
  readonly title: string;
  readonly hint?: string;
  /** For example `prices/set`. */
  readonly method: string;
  readonly fields: readonly OptionField[];
  readonly begin?: Texts;
  /** Default: the options alone. */
  argsOf?(options: Record<string, unknown>): readonly unknown[];
}

interface FormsProps {
  readonly specs: readonly FormSpec[];
  readonly onDone: () => void;
}

/** Forms that are folded until the reader wants them. */
export function Forms({ specs, onDone }: FormsProps) {
  return (
    <>
      {specs.map(({ title, hint, fields, ...rest }) => (
        <details key={title} class="form">
          <summary>{title} …</summary>
          {hint !== undefined && <p class="hint">{hint}</p>}
          <OptionsForm label={title} fields={() => fields} onDone={onDone} {...rest} />
        </details>
      ))}
    </>
  );
}

/** Values to choose from. The empty one stands for none. */
export const choicesOf = (...values: readonly string[]): readonly (readonly [value: string, text: string])[] =>
  values.map((value) => [value, value === '' ? '–' : value]);

/** Fields that are named on the page as on the wire. */
export const fieldsOf = (hints: Readonly<Record<string, string>>): readonly OptionField[] =>
  Object.entries(hints).map(([name, hint]) => ({ name, label: name, ...(hint === '' ? {} : { hint }) }));
