import { Field } from '../../../parts/field.js';
import { TROUBLES } from './troubles.js';

interface TroubleSelectProps {
  readonly label: string;
  /** What the first choice says; without it one is always chosen. */
  readonly none?: string;
  /** Place in the list. -1: none. */
  readonly chosen: number;
  readonly choose: (place: number) => void;
}

/** What shall go wrong. */
export function TroubleSelect({ label, none, chosen, choose }: TroubleSelectProps) {
  return (
    <Field label={label}>
      <select value={chosen} onChange={(event) => choose(Number(event.currentTarget.value))}>
        {none !== undefined && <option value={-1}>{none}</option>}
        {TROUBLES.map(([name], place) => (
          <option key={name} value={place}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
