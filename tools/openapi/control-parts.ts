/** Parts that several operations of the control plane share: each is a component, once. */
import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../schemas/components.js';

const REFUSAL: JsonSchema = {
  type: 'object',
  properties: {
    error: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
  required: ['error'],
};

const REFUSED: JsonSchema = {
  description: 'The sandbox refuses the call: `message` says why, and what it takes.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
};

const SECTIONS = ['parameters', 'requestBodies', 'responses'] as const;

type Section = (typeof SECTIONS)[number];

export class SharedParts {
  readonly #sections: Readonly<Record<Section, Map<string, JsonSchema>>> = {
    parameters: new Map(),
    requestBodies: new Map(),
    responses: new Map([['Refused', REFUSED]]),
  };

  /** Returns a reference to a filter. Filters of one name may differ. */
  parameter(owner: string, parameter: JsonSchema): JsonSchema {
    const name = String(parameter['name']);
    return this.#shared('parameters', [name, `${owner.replaceAll('/', '.')}.${name}`], parameter);
  }

  /** @param name The operation that has it first. */
  body(name: string, body: JsonSchema): JsonSchema {
    const known = [...this.#sections.requestBodies].find(([, one]) => isDeepStrictEqual(one, body));
    return this.#shared('requestBodies', [known?.[0] ?? name], body);
  }

  /** The answers of an operation: its result in `data`, or a refusal. */
  answers(data: JsonSchema): JsonSchema {
    return { 200: this.#answer(data), '4XX': { $ref: '#/components/responses/Refused' } };
  }

  /** Completes a document: what only one operation has stands there, the rest is a component. */
  complete(document: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
    const uses = usesIn(document);
    const once = new Map<string, JsonSchema>();
    const components = SECTIONS.map((section) => {
      const parts = [...this.#sections[section]].sort(([a], [b]) => (a < b ? -1 : 1));
      const isShared = ([name, part]: [string, JsonSchema]): boolean => {
        const reference = `#/components/${section}/${name}`;
        if (uses.get(reference) === 1) once.set(reference, part);
        return !once.has(reference);
      };
      return [section, Object.fromEntries(parts.filter(isShared))];
    });
    const written = inlined(document, once) as JsonSchema;
    return { ...written, components: { ...Object.fromEntries(components), schemas: { Refusal: REFUSAL, ...schemas } } };
  }

  #answer(data: JsonSchema): JsonSchema {
    const schema = { type: 'object', properties: { data }, required: ['data'] };
    const answer = { description: 'Done.', content: { 'application/json': { schema } } };
    const name = nameOf(data);
    return name === undefined ? answer : this.#shared('responses', [name], answer);
  }

  /** Returns the part itself if others have its names. */
  #shared(section: Section, names: readonly string[], part: JsonSchema): JsonSchema {
    const parts = this.#sections[section];
    const free = names.find((name) => isDeepStrictEqual(parts.get(name) ?? part, part));
    if (free === undefined) return part;
    parts.set(free, part);
    return { $ref: `#/components/${section}/${free}` };
  }
}

const NAMES: Readonly<Record<string, string>> = {
  null: 'Nothing',
  string: 'Text',
  number: 'Number',
  boolean: 'Truth',
};

/** The name of an answer; undefined for one that only a single operation has. */
function nameOf({ $ref, type, items, anyOf, ...others }: JsonSchema): string | undefined {
  if (Object.keys(others).length > 0) return undefined;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (type === 'array') {
    const item = nameOf(items as JsonSchema);
    return item && `${item}List`;
  }
  if (Array.isArray(anyOf) && anyOf.length === 2) {
    const names = anyOf.map((one: JsonSchema) => nameOf(one));
    return names[1] === 'Nothing' && names[0] !== undefined ? `${names[0]}OrNothing` : undefined;
  }
  return typeof type === 'string' ? NAMES[type] : undefined;
}

/** How often each reference is used. */
function usesIn(value: unknown, uses = new Map<string, number>()): ReadonlyMap<string, number> {
  if (typeof value !== 'object' || value === null) return uses;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref') uses.set(member, (uses.get(member) ?? 0) + 1);
    usesIn(member, uses);
  }
  return uses;
}

/** Returns the value with these parts in place of references to them. */
function inlined(value: unknown, parts: ReadonlyMap<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(one, parts));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as JsonSchema;
  const part = typeof $ref === 'string' ? parts.get($ref) : undefined;
  return part ?? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inlined(member, parts)]));
}
