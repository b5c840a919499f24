import type { SelectHTMLAttributes } from 'preact';

interface SelectProps {
  /** Its name where no field around it says it. */
  readonly label?: string;
  /** Text of the choice that sets no limit, whose value is empty. Default: there is none. */
  readonly all?: string;
  readonly value: string;
  /** Values, or values with what the page calls them. */
  readonly of: readonly (string | readonly [value: string, name: string])[];
  /** Further attributes. */
  readonly names?: SelectHTMLAttributes<HTMLSelectElement>;
  onChange(value: string): void;
}

/** A choice of one among several. */
export function Select({ label, all, value, of, names, onChange }: SelectProps) {
  const choices = of.map((one) => (typeof one === 'string' ? ([one, one] as const) : one));
  // What was chosen stays a choice, also when it has not come again.
  const isKnown = value === '' || choices.some(([known]) => known === value);
  return (
    <select {...names} aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {all !== undefined && <option value="">{all}</option>}
      {!isKnown && <option value={value}>{value}</option>}
      {choices.map(([known, name]) => (
        <option key={known} value={known}>
          {name}
        </option>
      ))}
    </select>
  );
}
