import type { Api, Schema } from '../document.js';

export interface SchemaFieldProps {
  readonly api: Api;
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** Undefined: it is left out. */
  readonly value: unknown;
  onValue(value: unknown): void;
  /** The browser sends no form in which it is empty. */
  readonly isNeeded?: boolean;
}

/** Says that a field must be filled in, or need not. */
export function Mark({ isRequired }: { readonly isRequired: boolean }) {
  return <span class="mark">{isRequired ? 'required' : 'optional'}</span>;
}
