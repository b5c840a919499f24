import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsTo, { type FormatsPlugin } from 'ajv-formats';

// Its types speak of `default` twice.
const addFormats = addFormatsTo as unknown as FormatsPlugin;

type Schema = Readonly<Record<string, unknown>>;

/** Holds values against the schemas of an OpenAPI document. It has nothing of the package. */
export class Validator {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, formats: { decimal: true } });
  readonly #compiled = new Map<Schema, ValidateFunction>();

  constructor(document: object) {
    addFormats(this.#ajv);
    this.#ajv.addSchema({ $id: 'document', ...document });
  }

  /** Returns what is wrong with a value. */
  issuesOf(schema: Schema, value: unknown): string[] {
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(inDocument(schema) as Schema);
    this.#compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}

/** Its references are those of the document. */
function inDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDocument);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? `document${member}` : inDocument(member),
    ]),
  );
}
