import type { Issue } from '../errors.js';
import { Decimal } from '../schema/decimal.js';
import { type InputMembers, type InputPart, membersOf } from '../schema/input-members.js';
import type { LazySchema, Operation, OperationInput } from '../schema/operation.js';
import { writtenOut } from '../schema/parse-decimal.js';
import { validate } from '../schema/validate/validate.js';
import { nearestName } from '../util/did-you-mean.js';
import { copyMembers, ownMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { OPTION_NAMES } from './options.js';

/** The input of an operation, copied: what the caller does to it later has no effect. */
interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Copies the input of an operation. Adds an issue for each rule that it breaks. */
export function readInput(operation: Operation, given: OperationInput, issues: Issue[]): Input {
  const params = ownMember(given, 'params') ?? {};
  const query = copyInput(operation.query, ownMember(given, 'query') ?? (operation.query && {}), operation, issues);
  const body = copyInput(operation.body, ownMember(given, 'body'), operation, issues);
  addTo(issues, validate(operation.params, params));
  addTo(issues, validate(operation.query, query));
  addTo(issues, validate(operation.body, body));
  return { params: params as Input['params'], query, body };
}

function addTo(issues: Issue[], more: readonly Issue[]): void {
  if (more.length > 0) issues.push(...more);
}

/**
 * Copies a query or body by its schema; each member is read once. An unknown member, at any depth,
 * is an issue unless the operation is open there. A value without schema is returned as it is.
 */
function copyInput(schema: LazySchema | undefined, value: unknown, { name }: Operation, issues: Issue[]): unknown {
  const members = schema && membersOf(schema);
  if (members === undefined || !isRecord(value)) return value;
  const copy = new InputCopy(name, issues);
  return copy.object(value, members, '');
}

/** A message names no more known members than this. */
const MAX_SHOWN = 20;

/** Copies a query or body, and notes its unknown members. */
class InputCopy {
  readonly #operation: string;
  readonly #issues: Issue[];

  constructor(operation: string, issues: Issue[]) {
    this.#operation = operation;
    this.#issues = issues;
  }

  object(value: object, members: InputMembers, place: string): unknown {
    const copy = copyMembers(value, members.parts);
    for (const name of Object.keys(copy)) {
      const part = members.parts.get(name);
      if (part !== undefined) copy[name] = this.#part(copy[name], part, `${place}${name}`);
      else if (!members.open && copy[name] !== undefined) this.#addUnknown(name, members, place);
    }
    return copy;
  }

  #part(value: unknown, part: InputPart, place: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => this.#item(item, part, `${place}.${index}`));
    if (part.members !== undefined) return this.object(value, part.members, `${place}.`);
    // The rules refuse an amount that is too long to be written.
    return part.isAmount && Decimal.isDecimal(value) ? (writtenOut(value as Decimal) ?? value) : value;
  }

  /** No operation has a list in a list: its rules refuse one, however deep it goes. */
  #item(item: unknown, part: InputPart, place: string): unknown {
    return Array.isArray(item) ? item : this.#part(item, part, place);
  }

  #addUnknown(name: string, { parts }: InputMembers, place: string): void {
    this.#issues.push({ path: place + name, message: this.#advice(name, [...parts.keys()].sort(), place === '') });
  }

  #advice(name: string, known: readonly string[], isTop: boolean): string {
    const meant = nearestName(name, known);
    const option = isTop ? nearestName(name, OPTION_NAMES) : undefined;
    if (isTop && OPTION_NAMES.has(name)) return 'belongs to the options, the next argument';
    if (meant !== undefined) return `is unknown here: did you mean ${meant}?`;
    if (option !== undefined)
      return `is unknown here: did you mean ${option}? It belongs to the options, the next argument`;
    const list = `${known.slice(0, MAX_SHOWN).join(', ')}${known.length > MAX_SHOWN ? ', …' : ''}`;
    return `is unknown to ${this.#operation}; known are ${list}: client.request() sends members that the service has added since`;
  }
}
